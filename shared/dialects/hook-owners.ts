import type { Machine } from '../machine/machine.ts';
import type { HookOwners } from '../machine/messages.ts';
import { cut } from '../text/truncate.ts';
import type { Dialect, HookPoint } from './dialect.ts';

/** What OpenShift allows; in Cluster API it is whatever the annotation says. */
const longestOwner = 512;

/** Who owns these hooks of a Machine, where it says so. Facts carry it, so an owner is cut to the longest allowed. */
export const hookOwners = (
  hooks: readonly string[],
  machine: Machine,
  dialect: Dialect,
  point: HookPoint,
): HookOwners =>
  Object.fromEntries(
    hooks.flatMap((name) => {
      const owner = dialect.hookOwner(machine, point, name);
      return owner === undefined ? [] : [[name, cut(owner, longestOwner)]];
    }),
  );
