import timers from 'node:timers';
import { afterAll } from 'vitest';

const native = Date.now;

// Test files share their thread and its globals. A fake clock that one leaves behind makes another one wait for ever.
afterAll(() => {
  const kept = {
    'Date.now': Date.now === native,
    setTimeout: globalThis.setTimeout === timers.setTimeout,
    setInterval: globalThis.setInterval === timers.setInterval,
    setImmediate: globalThis.setImmediate === timers.setImmediate,
  };
  const faked = Object.entries(kept).flatMap(([name, isKept]) => (isKept ? [] : [name]));
  if (faked.length > 0) throw new Error(`this file leaves a faked ${faked.join(', ')} behind`);
});
