import { MachineUnreadable } from '../../shared/dialects/dialect.ts';
import { Unavailable } from '../../shared/kubernetes/errors.ts';
import { ConfigInvalid } from '../../shared/runtime/config.ts';
import { StoreUnavailable } from '../../shared/store/port.ts';
import { NoMachineApi } from '../host/served-machine-apis.ts';
import { ManifestUnreadable } from '../terminal/manifests.ts';
import { CannotDo, UsageError } from '../terminal/usage-error.ts';

/** What the process ends with: 1 not done, 2 not understood. Undefined for errors of our own code. */
export function exitCodeOf(error: unknown): number | undefined {
  const wrongInput = [UsageError, ManifestUnreadable, ConfigInvalid];
  if (wrongInput.some((kind) => error instanceof kind)) return 2;
  const impossible = [CannotDo, Unavailable, MachineUnreadable, NoMachineApi, StoreUnavailable];
  return impossible.some((kind) => error instanceof kind) ? 1 : undefined;
}
