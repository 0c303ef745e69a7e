import { spawn } from 'node:child_process';
import type { Outside } from '../../../terminal/outside.ts';
import type { Turn } from './turn.ts';

/** Whether a shell command of the author ends with 0. It is told the Machine by its environment. */
export function proofBy(command: string, { env, folder, interrupted }: Outside) {
  return ({ call: { machine, node } }: Turn): Promise<boolean> => {
    const named = {
      MACHINE: `${machine.namespace}/${machine.name}`,
      MACHINE_UID: machine.uid,
      NODE: node?.name ?? '',
    };
    const child = spawn(command, {
      shell: true,
      cwd: folder,
      env: { ...env, ...named },
      stdio: 'ignore',
      signal: interrupted,
    });
    return new Promise((resolve) => {
      child.once('error', () => resolve(false));
      child.once('exit', (code) => resolve(code === 0));
    });
  };
}
