# SPDX-License-Identifier: GPL-2.0-or-later
"""rehost.py RECORDING OUTPUT HOST SECONDS: the same recording as another host would have made it, so many seconds later."""
import struct
import sys

HOSTNAME, CLOCK_DATA = 3, 29
path, output, host, later = sys.argv[1:5]
data = bytearray(open(path, "rb").read())
data_off, data_size = struct.unpack_from("<QQ", data, 40)
bits = [i for i in range(256) if struct.unpack_from("<Q", data, 72 + i // 64 * 8)[0] >> i % 64 & 1]
table = data_off + data_size
for i, bit in enumerate(bits):
    off, size = struct.unpack_from("<QQ", data, table + 16 * i)
    if bit == HOSTNAME:
        name = host.encode()
        name += bytes(64 - len(name) % 64)
        struct.pack_into("<QQ", data, table + 16 * i, len(data), 4 + len(name))
        data += struct.pack("<I", len(name)) + name
    elif bit == CLOCK_DATA:
        tod, = struct.unpack_from("<Q", data, off + 8)
        struct.pack_into("<Q", data, off + 8, tod + int(later) * 1000000000)
open(output, "wb").write(data)
