import type { Actuator, ActuatorTarget } from '../../../../shared/actuator/port.ts';
import type { KubeObject } from '../../../../shared/kubernetes/objects.ts';
import { behaving, type Provider, speaking, token } from './providers.ts';

const json = (status: number, body: unknown) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

const never = new Promise<never>(() => undefined);

const knownByName = ({ machine, cluster }: ActuatorTarget): ActuatorTarget => ({
  machine: { ...machine, metadata: { ...machine.metadata, uid: machine.metadata.name } },
  cluster,
});

/** As if the name were the identity: any Machine of that name is the same one. */
const byName = (cloud: Actuator): Actuator => ({
  exists: (target) => cloud.exists(knownByName(target)),
  create: (target) => cloud.create(knownByName(target)),
  update: (target) => cloud.update(knownByName(target)),
  delete: (target) => cloud.delete(knownByName(target)),
});

const asOpenShift = ({ machine, cluster }: ActuatorTarget): ActuatorTarget => ({
  machine: { ...machine, apiVersion: 'machine.openshift.io/v1beta1' },
  cluster,
});

const uidOf = ({ metadata }: KubeObject): string => metadata.uid ?? '';

/** Each wrong in one way, with the check that has to notice it first. */
export const wrongProviders: [what: string, provider: Provider, firstFailure: string][] = [
  [
    'finds servers by the name of their Machine',
    behaving(byName),
    'a Machine of the same name with another UID has no server',
  ],
  [
    'deletes by name',
    behaving((cloud) => {
      const uids = new Map<string, string>();
      return {
        create: (target) => {
          uids.set(target.machine.metadata.name, uidOf(target.machine));
          return cloud.create(target);
        },
        delete: ({ machine, cluster }) => {
          const uid = uids.get(machine.metadata.name) ?? uidOf(machine);
          return cloud.delete({ machine: { ...machine, metadata: { ...machine.metadata, uid } }, cluster });
        },
      };
    }),
    'a namesake gets a server of its own, and takes only that one with it',
  ],
  [
    'makes a server for each create',
    behaving((cloud) => {
      let made = 0;
      return {
        create: async (target) => {
          await cloud.create(target);
          made += 1;
          return { kind: 'done', report: { providerID: `x://${made}` } };
        },
      };
    }),
    'creating again is harmless, also when the first report was lost',
  ],
  [
    'forgets what it creates',
    behaving(() => ({ create: async () => ({ kind: 'done', report: {} }) })),
    'create makes a server, and it exists',
  ],
  [
    'sees a new server only after a while',
    behaving((cloud, clock) => {
      const seenFrom = new Map<string, number>();
      return {
        create: (target) => {
          const uid = uidOf(target.machine);
          seenFrom.set(uid, seenFrom.get(uid) ?? clock.now() + 5_000);
          return cloud.create(target);
        },
        exists: async (target) =>
          clock.now() < (seenFrom.get(uidOf(target.machine)) ?? 0)
            ? { kind: 'absent' }
            : cloud.exists(target),
      };
    }),
    'create makes a server, and it exists',
  ],
  [
    'denies a server that it is stopping',
    behaving((cloud) => {
      const told = new Set<string>();
      return {
        exists: async (target) =>
          told.has(uidOf(target.machine)) ? { kind: 'absent' } : cloud.exists(target),
        delete: async (target) => {
          told.add(uidOf(target.machine));
          const answer = await cloud.delete(target);
          return answer.kind === 'retry' ? { ...answer, afterSeconds: 5 } : answer;
        },
      };
    }),
    'exists is true for as long as delete asks to be asked again',
  ],
  [
    'takes back that a server is gone',
    behaving((cloud) => {
      const denials = new Map<string, number>();
      return {
        exists: async (target) => {
          const existence = await cloud.exists(target);
          const uid = uidOf(target.machine);
          if (target.machine.metadata.deletionTimestamp !== undefined || existence.kind !== 'absent')
            return existence;
          denials.set(uid, (denials.get(uid) ?? 0) + 1);
          return (denials.get(uid) ?? 0) > 3 ? { kind: 'exists' } : existence;
        },
      };
    }),
    'deleting what is gone is accepted, and it stays gone',
  ],
  [
    'refuses to delete what it has said is gone',
    behaving((cloud) => {
      const denied = new Set<string>();
      return {
        exists: async (target) => {
          const existence = await cloud.exists(target);
          if (existence.kind === 'absent') denied.add(uidOf(target.machine));
          return existence;
        },
        delete: async (target) =>
          denied.has(uidOf(target.machine))
            ? { kind: 'failed', reason: 'DeleteError', message: 'there is no server' }
            : cloud.delete(target),
      };
    }),
    'deleting what is gone is accepted, and it stays gone',
  ],
  [
    'gives a namesake the identity of another server',
    behaving((cloud) => ({
      create: async (target) => {
        const answer = await cloud.create(target);
        const providerID = `x://${target.machine.metadata.name}`;
        return answer.kind === 'done' ? { kind: 'done', report: { ...answer.report, providerID } } : answer;
      },
      update: async ({ machine }) => ({
        kind: 'done',
        report: { providerID: `x://${machine.metadata.name}` },
      }),
    })),
    'a namesake gets a server of its own, and takes only that one with it',
  ],
  [
    'refuses to say whether a server exists',
    behaving((cloud) => ({
      exists: async (target) => {
        const existence = await cloud.exists(target);
        return existence.kind === 'exists'
          ? { kind: 'failed', reason: undefined, message: 'who knows' }
          : existence;
      },
    })),
    'create makes a server, and it exists',
  ],
  [
    'takes a field that it does not know for a server',
    speaking(
      (app) => async (request) =>
        request.body?.includes('"later"') === true ? json(200, { exists: true }) : app(request),
    ),
    'a cluster of null is no cluster, and unknown fields are ignored',
  ],
  [
    'takes what it cannot read for what it cannot find',
    speaking((app) => async (request) => {
      const answer = await app(request);
      return answer.status === 400 ? { ...answer, status: 404 } : answer;
    }),
    'an empty body is answered 4xx with an error',
  ],
  [
    'lets nobody in',
    speaking(() => async () => json(403, { error: { message: 'not you' } })),
    'the provider answers, and takes the token',
  ],
  [
    'is somewhere else',
    speaking((app) => (request) => app({ ...request, path: `/v1${request.path}` })),
    'the provider answers, and takes the token',
  ],
  [
    'leads somewhere else',
    speaking(() => async () => ({ status: 308, headers: { location: 'https://other' }, body: '' })),
    'the provider answers, and takes the token',
  ],
  [
    'cannot update',
    behaving(() => ({
      // The provider played here is wrong on purpose: it lacks this verb.
      update: async () => ({ kind: 'failed', reason: 'UpdateError', message: 'not implemented' }),
    })),
    'updating works',
  ],
  [
    'changes the identity with every update',
    behaving((_, clock) => ({
      update: async () => ({ kind: 'done', report: { providerID: `x://${clock.now()}` } }),
    })),
    'updating works',
  ],
  [
    'does not delete what it does not know',
    behaving((cloud) => ({
      delete: async (target) =>
        (await cloud.exists(target)).kind === 'exists'
          ? cloud.delete(target)
          : { kind: 'failed', reason: 'DeleteError', message: 'no such server' },
    })),
    'deleting what never existed is accepted',
  ],
  [
    'deletes once only',
    behaving((cloud) => {
      const told = new Set<string>();
      return {
        delete: async (target) => {
          const isThere = (await cloud.exists(target)).kind === 'exists';
          const isNew = !told.has(uidOf(target.machine));
          if (isThere) told.add(uidOf(target.machine));
          if (isNew) return cloud.delete(target);
          return { kind: 'failed', reason: 'DeleteError', message: 'already stopping' };
        },
      };
    }),
    'a namesake gets a server of its own, and takes only that one with it',
  ],
  [
    'never stops a server',
    behaving(() => ({ delete: async () => ({ kind: 'accepted' }) })),
    'a namesake gets a server of its own, and takes only that one with it',
  ],
  [
    'puts a delete off for ever',
    behaving(() => ({ delete: async () => ({ kind: 'retry', afterSeconds: 7, message: 'later' }) })),
    'deleting what never existed is accepted',
  ],
  [
    'accepts the delete of a v1alpha1 Machine whose server still goes',
    behaving((cloud) => ({ delete: (target) => cloud.delete(asOpenShift(target)) })),
    'a delete that was accepted has left nothing behind',
  ],
  [
    'knows every Machine',
    behaving(() => ({ exists: async () => ({ kind: 'exists' }) })),
    'a Machine that was never created has no server',
  ],
  [
    'takes any token',
    speaking((app) => (request) => app({ ...request, authorization: `Bearer ${token}` })),
    'a request without a token is answered 401',
  ],
  [
    'takes any token that there is',
    speaking(
      (app) => (request) => app({ ...request, authorization: request.authorization && `Bearer ${token}` }),
    ),
    'a request with a wrong token is answered 401',
  ],
  [
    'does not take the right token',
    speaking((app) => (request) => app({ ...request, authorization: 'Bearer other' })),
    'the provider answers, and takes the token',
  ],
  [
    'breaks down over a malformed body',
    speaking((app) => async (request) => {
      const answer = await app(request);
      return answer.status === 400 ? json(500, { error: { message: 'SyntaxError' } }) : answer;
    }),
    'an empty body is answered 4xx with an error',
  ],
  [
    'says nothing about a malformed body',
    speaking((app) => async (request) => {
      const answer = await app(request);
      return answer.status === 400 ? { status: 400, headers: {}, body: 'Bad Request' } : answer;
    }),
    'an empty body is answered 4xx with an error',
  ],
  [
    'takes a Machine without a UID',
    speaking(
      (app) => (request) =>
        request.body?.includes('"malformed"') === true
          ? app({ ...request, body: request.body.replace('"malformed"', '"malformed","uid":"-"') })
          : app(request),
    ),
    'a Machine without a UID is answered 4xx with an error',
  ],
  [
    'answers 200 to any path',
    speaking((app) => async (request) => {
      const answer = await app(request);
      return answer.status === 404 ? json(200, {}) : answer;
    }),
    'an unknown path is answered 404',
  ],
  [
    'answers 404 for a server that is not there',
    speaking((app) => async (request) => {
      const answer = await app(request);
      return answer.body === '{"exists":false}' ? json(404, { error: { message: 'not found' } }) : answer;
    }),
    'a Machine that was never created has no server',
  ],
  [
    'answers a text instead of a truth',
    speaking((app) => async (request) => {
      const answer = await app(request);
      return answer.body === '{"exists":false}' ? json(200, { exists: 'false' }) : answer;
    }),
    'a Machine that was never created has no server',
  ],
  [
    'says that JSON is text',
    speaking((app) => async (request) => {
      const answer = await app(request);
      return { ...answer, headers: { 'content-type': 'text/plain' } };
    }),
    'a Machine that was never created has no server',
  ],
  [
    'says that JSON is text when it refuses',
    speaking((app) => async (request) => {
      const answer = await app(request);
      return answer.status === 400 ? { ...answer, headers: { 'content-type': 'text/plain' } } : answer;
    }),
    'every answer of the contract says that it is application/json',
  ],
  [
    'refuses fields it does not know',
    speaking(
      (app) => async (request) =>
        request.body?.includes('"later"') === true
          ? json(400, { error: { message: 'unknown field "later"' } })
          : app(request),
    ),
    'a cluster of null is no cluster, and unknown fields are ignored',
  ],
  [
    'takes no large Machines',
    speaking(
      (app) => async (request) =>
        (request.body?.length ?? 0) > 100_000 ? json(413, { error: { message: 'too large' } }) : app(request),
    ),
    'a Machine of a megabyte is taken',
  ],
  [
    'puts a call off without a time',
    speaking((app) => async (request) => {
      const answer = await app(request);
      return answer.status === 503 ? json(503, { error: { message: 'later' } }) : answer;
    }),
    'a namesake gets a server of its own, and takes only that one with it',
  ],
  [
    'hangs when it has to delete',
    speaking(
      (app) => (request) => (request.body?.includes('deletionTimestamp') === true ? never : app(request)),
    ),
    'deleting what never existed is accepted',
  ],
  [
    'makes two servers when it is asked twice at once',
    behaving((cloud) => {
      const busy = new Set<string>();
      return {
        create: async (target) => {
          const uid = uidOf(target.machine);
          const isBusy = busy.has(uid);
          busy.add(uid);
          await Promise.resolve();
          const answer = await cloud.create(target);
          busy.delete(uid);
          return isBusy ? { kind: 'done', report: { providerID: 'x://another' } } : answer;
        },
      };
    }),
    '5 creates of one Machine at once make one server',
  ],
  [
    'takes a server that is still to be made for none',
    behaving((cloud, clock) => ({
      async create(target) {
        await new Promise<void>((resolve) => void clock.after(1_000, resolve));
        return cloud.create(target);
      },
    })),
    'a server whose end is asked for while it is made is not left',
  ],
  [
    'refuses every configuration',
    behaving(() => ({
      create: async () => ({ kind: 'failed', reason: 'InvalidConfiguration', message: 'no' }),
    })),
    'there was a server to look at',
  ],
];
