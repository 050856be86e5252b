# SPDX-License-Identifier: MIT
"""The network: convolutions over time, then for each phrase a soft maximum of what every place says."""

import jax
import jax.numpy as jnp
import numpy

BANDS, WIDTH, PHRASES = 40, 48, 2
# Taps, stride and dilation of each layer.
LAYERS = [(5, 2, 1), (5, 2, 1), (5, 1, 1), (5, 1, 2), (7, 1, 2)]


def initial(seed):
    generator = numpy.random.default_rng(seed)
    parameters = []
    inputs = BANDS
    for taps, _, _ in LAYERS:
        scale = (2 / (inputs * taps)) ** 0.5
        parameters.append((generator.normal(0, scale, (taps, inputs, WIDTH)), numpy.zeros(WIDTH)))
        inputs = WIDTH
    parameters.append((generator.normal(0, 0.05, (1, WIDTH, PHRASES)), numpy.zeros(PHRASES) - 1))
    return jax.tree.map(lambda value: jnp.asarray(value, jnp.float32), parameters)


def logits(parameters, windows, key=None):
    """Windows × phrases. With a key a fifth of the channels is dropped, as in training."""
    values = windows
    for index, ((weights, bias), (taps, stride, dilation)) in enumerate(zip(parameters, LAYERS)):
        reach = dilation * (taps - 1)
        values = jax.lax.conv_general_dilated(
            values, weights, (stride,), [(reach // 2, reach // 2)], rhs_dilation=(dilation,),
            dimension_numbers=("NWC", "WIO", "NWC"))
        values = jax.nn.relu(values + bias)
        if key is not None and index > 0:
            key, mine = jax.random.split(key)
            values = values * jax.random.bernoulli(mine, 0.8, (len(windows), 1, WIDTH)) / 0.8
    weights, bias = parameters[-1]
    places = values @ weights[0] + bias
    return jnp.sum(jax.nn.softmax(places, axis=1) * places, axis=1)


def loss(parameters, windows, labels, key):
    scores = logits(parameters, windows, key)
    known = labels >= 0
    truth = jnp.clip(labels, 0, 1) * 0.98 + 0.01
    entropy = jax.nn.softplus(scores) - truth * scores
    return jnp.sum(entropy * known) / jnp.sum(known) + 1e-5 * sum(jnp.sum(weights ** 2) for weights, _ in parameters)


@jax.jit
def step(parameters, first, second, count, rate, windows, labels, key):
    """Adam with a decay of the rate by the caller."""
    value, slope = jax.value_and_grad(loss)(parameters, windows, labels, key)
    first = jax.tree.map(lambda mean, new: 0.9 * mean + 0.1 * new, first, slope)
    second = jax.tree.map(lambda mean, new: 0.999 * mean + 0.001 * new * new, second, slope)
    parameters = jax.tree.map(
        lambda old, mean, spread: old - rate * (mean / (1 - 0.9 ** count)) / (jnp.sqrt(spread / (1 - 0.999 ** count)) + 1e-8),
        parameters, first, second)
    return parameters, first, second, value


def varied(generator, windows):
    """Bands are stretched or shifted a little, parts are blanked, and all of it lies some frames later."""
    windows = windows.astype(numpy.float32)
    for index in range(len(windows)):
        if generator.random() < 0.5:
            places = numpy.clip(numpy.arange(BANDS) * generator.uniform(0.85, 1.15) + generator.uniform(-1, 1), 0, BANDS - 1)
            low = places.astype(int)
            high, share = numpy.minimum(low + 1, BANDS - 1), places - low
            windows[index] = windows[index][:, low] * (1 - share) + windows[index][:, high] * share
        if generator.random() < 0.3:
            band = generator.integers(0, BANDS - 4)
            windows[index][:, band:band + generator.integers(1, 5)] = 0
    return numpy.roll(windows, int(generator.integers(-8, 9)), axis=1)
