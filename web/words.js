// SPDX-License-Identifier: BSD-2-Clause
/* What the pages of `platen serve` and of the npm package share: the words that were read, over their picture. */
const UNSURE = .8; // confidence of a word below which it is marked

function element(name, parent, text, cls) {
  const e = document.createElement(name);
  if (text) e.textContent = text;
  if (cls) e.className = cls;
  parent.append(e);
  return e;
}

function save(blob, name) {
  const a = document.createElement('a');
  a.href = URL.createObjectURL(blob);
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 60000);
}

/* A word over its picture, as wide and as steep as there. The blank behind it is for those who copy several. */
function put_word(layer, word, measure) {
  const [[x0, y0], [x1, y1], , [x3, y3]] = word.quad;
  const width = Math.hypot(x1 - x0, y1 - y0), height = Math.hypot(x3 - x0, y3 - y0);
  const e = element('span', layer, word.text + ' ', word.conf < UNSURE && 'unsure');
  measure.font = height + 'px sans-serif';
  Object.assign(e.style, {fontSize: height + 'px', left: x0 + 'px', top: y0 + 'px',
    transform: `rotate(${Math.atan2(y1 - y0, x1 - x0)}rad) scaleX(${width / measure.measureText(word.text).width})`});
}

function put_words(figure, image, page) {
  const layer = element('div', figure, '', 'layer'), measure = document.createElement('canvas').getContext('2d');
  Object.assign(layer.style, {width: page.width + 'px', height: page.height + 'px'});
  for (const block of page.blocks)
    for (const line of block.lines) {
      for (const word of line.words) put_word(layer, word, measure);
      element('br', layer);
    }
  new ResizeObserver(() => { layer.style.transform = `scale(${image.clientWidth / page.width})`; }).observe(image);
}
