// onnxruntime beside engine.c: node ort.js MODEL.onnx DATA.f32 1x3x48x320; the same protocol.
// node ort.js MODEL.onnx --write OUT.onnx writes the network after its basic passes.
const fs = require('fs'), readline = require('readline'), path = require('path');
const ort = require(require.resolve('onnxruntime-node', {paths: [process.env.ORT_HOME || process.cwd()]}));

function cpu() {
  const u = process.cpuUsage();
  return (u.user + u.system) / 1e3;
}

function peak() {
  return +/VmHWM:\s*(\d+)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1];
}

async function main() {
  const [model, data, sizes] = process.argv.slice(2);
  if (data === '--write') {
    await ort.InferenceSession.create(model, {graphOptimizationLevel: 'basic', optimizedModelFilePath: sizes});
    return;
  }
  const bytes = fs.readFileSync(data), before = peak(), t = cpu();
  const session = await ort.InferenceSession.create(model, {
    executionProviders: ['cpu'], intraOpNumThreads: 1, interOpNumThreads: 1,
    executionMode: 'sequential', graphOptimizationLevel: 'all'});
  const opened = cpu() - t;
  const floats = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const feeds = {[session.inputNames[0]]: new ort.Tensor('float32', floats, sizes.split('x').map(Number))};
  await session.run(feeds);
  console.log(opened.toFixed(3), before, peak());
  for await (const line of readline.createInterface({input: process.stdin})) {
    const from = cpu();
    await session.run(feeds);
    console.log((cpu() - from).toFixed(4));
  }
}
main();
