#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The peer: the same network by onnxruntime, on one thread.

usage: onnx.py WEIGHTS FOLDER FILE…

Writes to FOLDER/<name>.f32 one float32 per 512 samples of each file of raw 16-bit sound, and prints a line of JSON:
seconds of sound, processor time in seconds of the inference calls alone, resident kilobytes (with Python and numpy).
"""

import json
import os
import sys
import time

import numpy as np
import onnxruntime

CHUNK, CONTEXT = 512, 64


def main():
    weights, folder, *paths = sys.argv[1:]
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    rate = np.array(16000, np.int64)
    seconds = used = 0.0
    for path in paths:
        sound = np.fromfile(path, "<i2").astype(np.float32) / 32768
        padded = np.concatenate([np.zeros(CONTEXT, np.float32), sound])
        inputs = [padded[None, start:start + CONTEXT + CHUNK] for start in range(0, len(sound) - CHUNK + 1, CHUNK)]
        state, found = np.zeros((2, 1, 128), np.float32), []
        begun = time.process_time()
        for one in inputs:
            output, state = session.run(None, {"input": one, "state": state, "sr": rate})
            found.append(output)
        used += time.process_time() - begun
        seconds += len(sound) / 16000
        name = os.path.splitext(os.path.basename(path))[0]
        np.concatenate(found).ravel().astype("<f4").tofile(f"{folder}/{name}.f32")
    with open("/proc/self/statm", encoding="ascii") as pages:
        resident = int(pages.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024
    print(json.dumps({"seconds": seconds, "cpu": used, "resident": resident}))


if __name__ == "__main__":
    main()
