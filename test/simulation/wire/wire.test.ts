import { describe } from 'vitest';
import { keepsItsPromises } from '../../contracts/kubernetes/in-process.ts';
import { createSimulatedWire } from './wire.ts';

describe('the Kubernetes port, over a wire without sockets', () => {
  keepsItsPromises((server) => {
    const { carry } = createSimulatedWire({
      instance: 'one',
      serverAt: () => server,
      step: () => Promise.resolve(),
      meddle: () => 'pass',
      seen: () => undefined,
    });
    return carry;
  });
});
