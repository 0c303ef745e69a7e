import { describe, expect, test } from 'vitest';
import { clusterApi } from '../../../../shared/dialects/capi/index.ts';
import { aMachine } from '../../../builders/cluster-api.ts';

const preDrain = 'pre-drain.delete.hook.machine.cluster.x-k8s.io';
const preTerminate = 'pre-terminate.delete.hook.machine.cluster.x-k8s.io';

const hooksOf = (...keys: string[]) => {
  const machine = aMachine({ annotations: Object.fromEntries(keys.map((key) => [key, ''])) });
  return {
    preDrain: clusterApi.hooks(machine, 'pre-drain'),
    preTerminate: clusterApi.hooks(machine, 'pre-terminate'),
  };
};

describe('a hook', () => {
  test.each([
    ['with a name', `${preDrain}/a`],
    ['without a slash', preDrain],
    ['with text that follows directly', `${preDrain}-custom/alpha`],
  ])('is an annotation %s', (_what, key) => {
    expect(hooksOf(key)).toEqual({ preDrain: [key], preTerminate: [] });
  });

  test.each([
    ['the form of the proposal', 'pre-drain.delete.hook.machine.cluster-api.x-k8s.io/a'],
    ['the examples of the proposal', 'pre-drain.hook.machine.cluster-api.x-k8s.io/a'],
    ['other letters', `Pre-drain.delete.hook.machine.cluster.x-k8s.io/a`],
    ['text before it', `x.${preDrain}/a`],
  ])('is not an annotation of %s', (_what, key) => {
    expect(hooksOf(key)).toEqual({ preDrain: [], preTerminate: [] });
  });

  test('belongs to its point', () => {
    expect(hooksOf(`${preTerminate}/x`, `${preDrain}/b`, `${preDrain}/a`)).toEqual({
      preDrain: [`${preDrain}/a`, `${preDrain}/b`],
      preTerminate: [`${preTerminate}/x`],
    });
  });

  test('is named in the message', () => {
    const machine = aMachine({
      annotations: { [`${preDrain}/b`]: '', [`${preDrain}/a`]: '', [preTerminate]: '' },
    });
    expect(clusterApi.hookMessage(machine, 'pre-drain')).toBe(
      `Waiting for pre-drain hooks to succeed (hooks: ${preDrain}/a,${preDrain}/b)`,
    );
    expect(clusterApi.hookMessage(machine, 'pre-terminate')).toBe(
      `Waiting for pre-terminate hooks to succeed (hooks: ${preTerminate})`,
    );
  });
});

describe('a hook of phaseout, from a time beside the controller of the API,', () => {
  test.each<[what: string, name: string, value: string, holds: boolean]>([
    ['holds nothing', `${preDrain}/phaseout`, 'phaseout.dev', false],
    ['of a named installation holds nothing', `${preDrain}/phaseout-blue`, 'phaseout.dev', false],
    ['holds where somebody else has taken its name', `${preDrain}/phaseout`, 'somebody', true],
    ['is none with another name', `${preDrain}/phaseoutlast`, 'phaseout.dev', true],
  ])('%s', (_what, name, value, holds) => {
    const machine = aMachine({ annotations: { [name]: value } });
    expect(clusterApi.hooks(machine, 'pre-drain')).toEqual(holds ? [name] : []);
  });
});
