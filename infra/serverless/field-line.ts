import { type Document, isMap, isScalar, type LineCounter, type Node } from 'yaml';

/** The line where the field is, from 1, or, if it is missing, the innermost of its parents that is there. */
export function fieldLine(document: Document, lines: LineCounter, path: readonly PropertyKey[]): number {
  let offset = 0;
  for (let depth = 1; depth <= path.length; depth++) {
    const found = offsetOf(document, path.slice(0, depth));
    if (found === undefined) break;
    offset = found;
  }
  return lines.linePos(offset).line;
}

/** Of the key rather than the value, which may start lines below it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number | undefined {
  const parent: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const last = path.at(-1);
  if (isMap<Node, Node>(parent)) {
    const pair = parent.items.find(({ key }) => isScalar(key) && String(key.value) === String(last));
    return pair?.key.range?.[0];
  }
  const node: unknown = document.getIn(path, true);
  return isScalar(node) || isMap(node) ? node.range?.[0] : undefined;
}
