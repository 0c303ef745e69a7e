import type { KubeObject } from '../objects/cluster.ts';

/** The columns of a kind and what an object shows in them. */
export interface Printer {
  readonly columns: readonly Column[];
  cells(object: KubeObject, now: number): unknown[];
}

export interface Column {
  readonly name: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}
