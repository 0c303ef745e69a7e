import type { ASTNode } from '@marcbachmann/cel-js';
import { isObject } from '../server/json.ts';

/** The names of all functions and macros that an expression calls. */
export function callsIn(root: ASTNode): string[] {
  return nodesIn(root).flatMap((node) => (node.op === 'call' || node.op === 'rcall' ? [node.args[0]] : []));
}

/** All names that an expression begins a reference with, those that its macros bind among them. */
export function namesIn(root: ASTNode): string[] {
  return nodesIn(root).flatMap((node) => (node.op === 'id' ? [node.args] : []));
}

/** The variables of its policy that an expression names: `a` of `variables.a`. */
export function variablesIn(root: ASTNode): string[] {
  return nodesIn(root).flatMap((node) => {
    if (node.op !== '.') return [];
    const [from, name] = node.args;
    return from.op === 'id' && from.args === 'variables' ? [name] : [];
  });
}

function nodesIn(node: ASTNode): ASTNode[] {
  return [node, ...below(node.args).flatMap(nodesIn)];
}

function below(args: unknown): ASTNode[] {
  if (Array.isArray(args)) return args.flatMap(below);
  return isNode(args) ? [args] : [];
}

function isNode(value: unknown): value is ASTNode {
  return isObject(value) && 'op' in value && 'args' in value;
}
