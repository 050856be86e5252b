# SPDX-License-Identifier: MIT
"""The same steps as objects-client by boto3: peer.py ADDRESS BUCKET FILE SMALL-COUNT. With `serve`, the server."""

import json
import resource
import sys
import time

import boto3


def serve():
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    client(address).create_bucket(Bucket="bench")
    print(address, flush=True)
    sys.stdin.read()


def client(address):
    return boto3.client("s3", region_name="us-east-1", endpoint_url=address, aws_access_key_id="a",
                        aws_secret_access_key="b")


def main(address, bucket, path, count):
    s3, results = client(address), {}

    def timed(name, body):
        start = time.perf_counter()
        body()
        results[name] = time.perf_counter() - start

    def put():
        with open(path, "rb") as file:
            s3.put_object(Bucket=bucket, Key="large", Body=file)

    def get():
        for _ in s3.get_object(Bucket=bucket, Key="large")["Body"].iter_chunks(65_536):
            pass

    timed("put", put)
    timed("parts", lambda: s3.upload_file(path, bucket, "large"))
    timed("get", get)
    content = bytes([7]) * 4096
    timed("small put", lambda: [s3.put_object(Bucket=bucket, Key=f"s-{n}", Body=content) for n in range(count)])
    timed("small get", lambda: [s3.get_object(Bucket=bucket, Key=f"s-{n}")["Body"].read() for n in range(count)])
    timed("list", lambda: [len(page["Contents"]) for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket)])
    results["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(results))


if sys.argv[1] == "serve":
    serve()
else:
    main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
