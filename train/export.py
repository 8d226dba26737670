#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Quantise a checkpoint and write the model file that platen runs.

    export.py [--out models/eng.platen] [--data DIR | --no-scores] [--platen PROGRAM] CHECKPOINT

The quantised network goes to an ONNX file (onnx_file.py), which the program imports. Batch norms are
folded, activation ranges are measured on generated lines, weights become s8 per output channel,
activations u8 per tensor. With --tune the weights are first fine-tuned under that rounding on lines of a
spool (tune.py). The confidence is calibrated on other generated lines (calibrate.py). Prints the
signal-to-quantisation-noise ratio of every layer and, where there is evaluation data, the error rates
before and after. The same checkpoint and options give the same bytes.
"""
import argparse
import hashlib
import os

import numpy as np
import torch
from torch.nn import functional as F

import calibrate
import generate
import line
import model
import onnx_file
import tune
from text import ALPHABET, CHARSET, CHARSETS

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CALIBRATION_SEED, CALIBRATION_LINES = 20261121, 160
BINS = 2048
READS = {                           # name: languages that it reads best (platen-model.5), scripts
    'eng': ('en', 'Latin'),
    'eng.quick': ('en', 'Latin'),
    'latin': ('af az br ca cs cy da de eo es et eu fi fo fr fy ga gd gl hr ht hu id is it ku la lb lt lv mt nl no oc pl pt ro sk sl sq sv sw tl tr vi', 'Latin'),
    'cyrillic-greek': ('ru uk be bg sr mk el', 'Cyrillic, Greek, Latin')}
LEAST_SQNR_DB = 20
NARROW = 128                        # PL_QGEMM_NARROW of simd/qgemm.h
COARSER = np.arange(1, 2.05, .05)   # weight steps that are tried, in parts of the largest weight / 127


class Layer:
    """A node of the graph: a folded convolution, its edges, its place in the picture."""

    def __init__(self, name, conv, source, residual=None, relu=False):
        self.name, self.source, self.residual, self.relu = name, source, residual, relu
        weight = conv.weight.detach()
        self.weight = weight if weight.dim() == 4 else weight.unsqueeze(2)    # 1-D: height 1
        self.bias = conv.bias.detach()
        pair = (lambda v: v if len(v) == 2 else (0, v[0]))
        self.stride = conv.stride if len(conv.stride) == 2 else (1, conv.stride[0])
        self.pad = pair(conv.padding)
        self.groups = conv.groups

    def convolve(self, x, weight, bias=None):
        return F.conv2d(x, weight, bias, self.stride, groups=self.groups)

    def padded(self, x, value=0):
        return F.pad(x, (self.pad[1], self.pad[1], self.pad[0], self.pad[0]), value=value)


def graph(net):
    """The layers of a folded net in order; layer i makes tensor i + 1, tensor 0 is the input."""
    layers = []
    for i, triple in enumerate(net.stem.layers):
        layers.append(Layer(f'stem.{i}', triple[0], i, relu=True))
    for i, block in enumerate(net.blocks):
        start = len(layers)
        layers.append(Layer(f'block.{i}.depthwise', block.depthwise, start))
        layers.append(Layer(f'block.{i}.expand', block.expand, start + 1, relu=True))
        layers.append(Layer(f'block.{i}.project', block.project, start + 2, residual=start))
    layers.append(Layer('head', net.head, len(layers)))
    return layers


def run_float(layers, x):
    """All tensors of one line in floats: x is (1, 1, 32, W)."""
    tensors = [x]
    for layer in layers:
        y = layer.convolve(layer.padded(tensors[layer.source]), layer.weight, layer.bias)
        if layer.residual is not None:
            y = y + tensors[layer.residual]
        tensors.append(F.relu(y) if layer.relu else y)
    return tensors


def strips(seed, count):
    """Quantised, padded generated lines, uint8 (1, 1, 32, W)."""
    return [padded(line.quantise(grey)) for grey, _ in generate.lines(seed, count)]


def padded(strip):
    width = line.padded_width(strip.shape[1])
    out = np.full((1, 1, line.HEIGHT, width), line.ZERO, np.uint8)
    out[0, 0, :, line.PAD:line.PAD + strip.shape[1]] = strip
    return torch.from_numpy(out)


def value_of(strip):
    return (strip.float() - line.ZERO) * np.float32(1 / line.SCALE)


def histograms(layers, samples, value=value_of):
    """[(low edge, bin width, counts)] of every tensor over the samples; 0 lies in the range.
    value: floats of a u8 sample."""
    bounds = [[0., 0.] for _ in range(len(layers) + 1)]
    for sample in samples:
        for b, t in zip(bounds, run_float(layers, value(sample))):
            b[0], b[1] = min(b[0], t.min().item()), max(b[1], t.max().item())
    counts = [torch.zeros(BINS, dtype=torch.float64) for _ in bounds]
    for sample in samples:
        for (low, high), c, t in zip(bounds, counts, run_float(layers, value(sample))):
            c += torch.histc(t, BINS, low, high).double()
    return [(low, (high - low) / BINS, c.numpy()) for (low, high), c in zip(bounds, counts)]


def to_scale(low, high):
    """Scale and zero point of a u8 tensor that holds low <= 0 <= high."""
    scale = np.float32((high - low) / 255)
    return scale, int(round(-low / float(scale)))


def squared_error(low, width, counts, scale, zero):
    centres = low + width * (np.arange(BINS) + .5)
    q = np.clip(np.rint(centres / scale) + zero, 0, 255)
    return float((counts * ((q - zero) * scale - centres) ** 2).sum())


def best_range(histogram):
    """Scale and zero point of least squared error among clipped ranges."""
    low, width, counts = histogram
    high, best = low + width * BINS, None
    for a in np.arange(1, .29, -.05) if low < -width else (1,):
        for b in np.arange(1, .29, -.05):
            scale, zero = to_scale(low * a if low < -width else 0, high * b)
            error = squared_error(low, width, counts, float(scale), zero)
            if best is None or error < best[0]:
                best = error, scale, zero
    return best[1], best[2]


def full_range(histogram):
    low, width, _ = histogram
    return to_scale(min(low, 0), low + width * BINS)


def lanes(weight):
    """(oc, n, 4): the weights (oc, ic, kh, kw) of a convolution that meet in 16-bit lanes, zeros
    where there are fewer (pl_qgemm_is_narrow)."""
    oc, ic, kh, kw = weight.shape
    runs = weight.permute(0, 2, 3, 1).reshape(oc, kh, kw * ic)
    runs = F.pad(runs, (0, -runs.shape[2] % 8))
    return runs.reshape(oc, -1, 2, 2, 2).transpose(2, 3).reshape(oc, -1, 4)


def from_lanes(x, shape):
    """The inverse of lanes()."""
    oc, ic, kh, kw = shape
    runs = x.view(oc, -1, 2, 2, 2).transpose(2, 3).reshape(oc, kh, -1)[:, :, :kw * ic]
    return runs.reshape(oc, kh, kw, ic).permute(0, 3, 1, 2)


def narrowed(q):
    """The nearest integers of which no lane has more than NARROW of one sign."""
    for sign in 1, -1:
        while True:
            part = (sign * q).clamp(min=0)
            excess = (part.sum(-1, keepdim=True) - NARROW).clamp(min=0)
            if not excess.any():
                break
            n = (part > 0).sum(-1, keepdim=True).clamp(min=1)
            rank = part.argsort(-1, descending=True).argsort(-1)
            q = q - sign * torch.minimum(excess.div(n, rounding_mode='floor') + (rank < excess % n), part)
    return q


def quantise_channels(x, limited):
    """Integers of the rows of x (oc, n, m) and the step of each row, of least squared error;
    limited() is put on the integers of every trial."""
    least = (x.abs().amax((1, 2), keepdim=True) / 127).clamp(min=1e-9)
    best = None
    for coarser in COARSER:
        step = least * coarser
        q = limited(torch.round(x / step))
        error = (q * step - x).square().sum((1, 2), keepdim=True)
        if best is None:
            best = error, q, step
        better = error < best[0]
        best = tuple(torch.where(better, a, b) for a, b in zip((error, q, step), best))
    return best[1], best[2]


def quantise_layer(layer, source, target):
    """Adds q (s8 weights), step (f32, of each output channel), bias_int (i32), and what the sums of products
    begin with and are multiplied by, bias_q and multiplier, as the importer computes them; target is None
    for the logits."""
    weight = layer.weight.double()
    if layer.groups > 1:
        q, step = quantise_channels(weight.flatten(1).unsqueeze(1), lambda v: v)
        q = q.view_as(weight)
    else:
        q, step = quantise_channels(lanes(weight), narrowed)
        q = from_lanes(q, weight.shape)
    layer.q, layer.step = q, step.view(-1, 1, 1, 1).float()
    sums = layer.q.flatten(1).sum(1)
    layer.bias_int = torch.round(layer.bias.double() / (layer.step.flatten().double() * float(source[0])))
    layer.bias_q = layer.bias_int - source[1] * sums
    assert layer.bias_q.abs().max() < 2 ** 30
    most = (q.flatten(1).abs().sum(1) * 255 + layer.bias_q.abs()).max()        # of any partial sum
    layer.exact = torch.float32 if most < 2 ** 24 else torch.float64
    set_multiplier(layer, source, target)


def set_multiplier(layer, source, target):
    unit = float(source[0]) * layer.step.flatten().double()
    layer.multiplier = (unit / (float(target[0]) if target else 1)).numpy().astype(np.float32)


def quantise(layers, ranges):
    """Quantises all layers in place; ranges is [(scale, zero)] of the u8 tensors."""
    for i, layer in enumerate(layers):
        quantise_layer(layer, ranges[layer.source], ranges[i + 1] if i + 1 < len(ranges) else None)


def run_integer(layers, ranges, strip):
    """All tensors of one line as the imported network computes them, bit by bit: u8, then f32 logits.
    The sums are exact: integers in floats, or in doubles where they may be large."""
    tensors = [strip.float()]
    for i, layer in enumerate(layers):
        x = layer.padded(tensors[layer.source], ranges[layer.source][1])
        acc = layer.convolve(x.to(layer.exact), layer.q.to(layer.exact)) + layer.bias_q.to(layer.exact).view(1, -1, 1, 1)
        f = acc.to(torch.int32).float() * torch.from_numpy(layer.multiplier).view(1, -1, 1, 1)
        if i + 1 == len(ranges):
            return tensors + [f]
        zero = ranges[i + 1][1]
        if layer.residual is not None:
            scale, offset = ranges[layer.residual]
            f = f + (tensors[layer.residual] - offset).float() * (scale / ranges[i + 1][0])
        f = f.clamp(0 if layer.relu else -zero, 255 - zero)
        tensors.append(torch.round(f) + zero)
    raise AssertionError('the last layer makes logits')


def set_temperature(layers, ranges):
    """Divides the logits by the temperature that calibrates them, which it gives."""
    pairs = [(run_integer(layers, ranges, padded(line.quantise(grey)))[-1][0, :, 0].T, text)
             for grey, text in generate.lines(calibrate.SEED, calibrate.LINES)]
    temperature = calibrate.fit(calibrate.readings(pairs))
    layers[-1].step = (layers[-1].step.double() / temperature).float()
    set_multiplier(layers[-1], ranges[layers[-1].source], None)
    return temperature


def decibel(signal, noise):
    return 10 * np.log10(signal / max(noise, 1e-30))


def report_noise(layers, ranges, samples, value=value_of):
    """Prints the SQNR of each layer's weights and outputs and the mean squared error of the latter, marks
    a layer that is too far off; {meta key: value} of the outputs."""
    power, noise, count = np.zeros(len(layers)), np.zeros(len(layers)), np.zeros(len(layers))
    for sample in samples:
        exact = run_float(layers, value(sample))[1:]
        got = run_integer(layers, ranges, sample)[1:]
        for i, (a, b) in enumerate(zip(exact, got)):
            if i + 1 < len(ranges):
                b = (b - ranges[i + 1][1]) * float(ranges[i + 1][0])
            power[i] += a.double().pow(2).sum().item()
            noise[i] += (a.double() - b.double()).pow(2).sum().item()
            count[i] += a.numel()
    print(f'{"layer":<20} {"weights dB":>10} {"output dB":>10} {"mse":>10}')
    meta = {}
    for layer, p, n, mse in zip(layers, power, noise, noise / count):
        w, wq = layer.weight.double(), layer.q * layer.step
        in_weights = decibel(w.pow(2).sum().item(), (w - wq).pow(2).sum().item())
        low = '   <-- below %d dB' % LEAST_SQNR_DB if decibel(p, n) < LEAST_SQNR_DB else ''
        print(f'{layer.name:<20} {in_weights:10.1f} {decibel(p, n):10.1f} {mse:10.3e}{low}')
        meta[f'layer.{layer.name}'] = f'sqnr {decibel(p, n):.1f} dB, mse {mse:.3e}'
    return meta


def scores(layers, ranges, net, data):
    """Error rates in floats and in integers on the real lines; {meta key: value} of the latter."""
    import evaluate
    evaluate.report('floats', evaluate.evaluate(evaluate.reader(net), data))

    def read(crops):
        texts = []
        for crop in crops:
            logits = run_integer(layers, ranges, padded(line.strip_of_crop(crop)))[-1]
            texts.append(evaluate.greedy(logits[:, :, 0].permute(2, 0, 1))[0])
        return texts
    results = evaluate.evaluate(read, data)
    evaluate.report('int8', results)
    return {f'score.{name}.{measure}': f'{100 * rates[measure]:.2f}%'
            for name, (rates, _) in results.items() for measure in evaluate.SETS[name]}


def metadata(args, checkpoint):
    languages, script = READS[args.name]
    return {'name': args.name, 'version': args.version, 'language': languages,
            'licence': 'BSD-2-Clause', 'script': script, 'architecture': args.net,
            'training': 'free fonts, free texts and real lines, as models/MODELS.md tells',
            'quantisation': 's8 weights per output channel, u8 activations per tensor, ' +
                            f'{args.ranges} ranges of {CALIBRATION_LINES} generated lines',
            'checkpoint_sha256': hashlib.sha256(checkpoint).hexdigest(),
            **({'sure': args.sure} if args.sure is not None else {}), **contract()}


def contract():
    """What platen has to know of the network (platen-model.5, LINE RECOGNIZERS)."""
    return {'alphabet': CHARSET, 'stride': line.STRIDE, 'pad_left': line.PAD, 'pad_right': line.PAD,
            'input_scale': f'{np.float32(1 / line.SCALE):.9g}', 'input_zero': line.ZERO}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('checkpoint')
    parser.add_argument('--out', help='default: models/NAME.platen')
    parser.add_argument('--net', default=model.NET)
    parser.add_argument('--name', choices=READS, default='eng' if ALPHABET == 'latin' else ALPHABET)
    parser.add_argument('--version', default='1')
    parser.add_argument('--sure', type=float, metavar='BOUND', help='of a network that reads before another one (NAME.quick)')
    parser.add_argument('--ranges', choices=('mse', 'full'), default='mse')
    parser.add_argument('--tune', metavar='SPOOL', help='fine-tune under quantisation on the shards there')
    parser.add_argument('--tune-lines', type=int, default=3000)
    parser.add_argument('--data', default=os.environ.get('PLATEN_DATA',
                                                         os.path.join(ROOT, '..', 'shared', 'data')))
    parser.add_argument('--no-scores', action='store_true', help='leave out the error rates')
    onnx_file.add_program(parser, ROOT)
    args = parser.parse_args()
    alphabet = args.name if args.name in CHARSETS else 'latin'
    if alphabet != ALPHABET:
        parser.error(f'{args.name} has the alphabet {alphabet}: set PLATEN_ALPHABET={alphabet}')
    return args


def main():
    args = arguments()
    args.out = args.out or os.path.join(ROOT, 'models', args.name + '.platen')
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    with open(args.checkpoint, 'rb') as f:
        meta = metadata(args, f.read())
    net = model.fold_batchnorm(model.load(args.checkpoint, args.net))
    layers, samples = graph(net), strips(CALIBRATION_SEED, CALIBRATION_LINES)
    choose = best_range if args.ranges == 'mse' else full_range
    ranges = [(np.float32(1 / line.SCALE), line.ZERO)]
    ranges += [choose(h) for h in histograms(layers, samples)[1:-1]]
    if args.tune:
        tune.tune(layers, ranges, args.tune, args.tune_lines)
    quantise(layers, ranges)
    meta.update(report_noise(layers, ranges, samples[:16]))
    meta['temperature'] = f'{set_temperature(layers, ranges):.3f}'
    if ALPHABET == 'latin' and not args.no_scores and os.path.isdir(args.data):
        meta.update(scores(layers, ranges, net, args.data))
    onnx_file.write(onnx_file.recognizer(layers, ranges, line.HEIGHT, meta), args.out, args.platen)


if __name__ == '__main__':
    main()
