import { expect, test } from 'vitest';
import type { ObjectList, Selection } from '../../shared/kubernetes/port.ts';
import { observePods } from '../../shared/observe-pods.ts';
import { lookAt } from '../../shared/runtime/turn.ts';
import { aSubject } from '../builders/subject.ts';
import { aWorld } from '../builders/world.ts';

test('only the Pods of one Node are asked for, in all namespaces', async () => {
  const { env, workload } = aWorld();
  const asked: (Selection | undefined)[] = [];
  const list = async (_resource: object, selection?: Selection): Promise<ObjectList> => {
    asked.push(selection);
    return { items: [], resourceVersion: '900' };
  };
  Object.assign(workload, { list });
  const subject = aSubject();
  const context = { nodeName: 'node-1', unreachable: false, now: env.clock.now() };
  expect(await observePods(lookAt(env, subject), subject, context)).toEqual({
    resourceVersion: '900',
    pods: [],
    judgement: { kind: 'judged', verdicts: [] },
  });
  expect(asked).toEqual([{ fieldSelector: 'spec.nodeName=node-1' }]);
});
