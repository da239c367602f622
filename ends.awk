/^unwound stacks/ { n[$6] = $3; all = $5 + 0 }
END { print n["complete"] + 0, n["stack"] + 0, n["code"] + 0, n["binary"] + 0, all }
