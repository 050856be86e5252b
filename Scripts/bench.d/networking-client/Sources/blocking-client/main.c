// SPDX-License-Identifier: MIT
//
// The limit for requests one at a time: libcurl called from C, which blocks its one thread, so that nothing but the
// server has to be woken. Prints one line of JSON.
//
// usage: blocking-client URL COUNT

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static size_t take(char *data, size_t size, size_t count, void *total) {
    (void)data;
    *(size_t *)total += size * count;
    return size * count;
}

static double seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static double processor_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static int compare(const void *first, const void *second) {
    double difference = *(const double *)first - *(const double *)second;
    return difference < 0 ? -1 : difference > 0;
}

int main(int argument_count, char **arguments) {
    if (argument_count < 3) return 2;
    int count = atoi(arguments[2]);
    size_t received = 0;
    CURL *handle = curl_easy_init();
    double *latencies = calloc((size_t)count, sizeof *latencies);
    if (count < 1 || !handle || !latencies) return 2;
    curl_easy_setopt(handle, CURLOPT_URL, arguments[1]);
    curl_easy_setopt(handle, CURLOPT_PROXY, "");
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, &received);
    for (int number = 0; number < 200; number++) curl_easy_perform(handle);
    double processor = processor_seconds(), start = seconds();
    for (int number = 0; number < count; number++) {
        double began = seconds();
        if (curl_easy_perform(handle) != CURLE_OK) return 1;
        latencies[number] = seconds() - began;
    }
    double wall = seconds() - start;
    processor = processor_seconds() - processor;
    qsort(latencies, (size_t)count, sizeof *latencies, compare);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf(
        "{\"per_second\": %f, \"p50_us\": %f, \"p99_us\": %f, \"cpu_us\": %f, \"peak_mb\": %f}\n", count / wall,
        latencies[count / 2] * 1e6, latencies[count * 99 / 100] * 1e6, processor / count * 1e6,
        (double)usage.ru_maxrss / 1024);
    return 0;
}
