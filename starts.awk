BEGIN { RS = ""; FS = "\n" }
{ n++; if ($NF ~ / (_start|_dl_start_user|(__)?clone3?|_rt0_amd64_linux|runtime\.[^ ]*) / || $(NF - 1) ~ / in_context /) whole++ }
END { print n + 0, whole + 0 }
