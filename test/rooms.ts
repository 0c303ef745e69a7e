/** What decides without IO. */
export const pure = [
  'time',
  'text',
  'kubernetes',
  'machine',
  'actuator',
  'drain',
  'hooks',
  'blocked',
  'policies',
  'volumes',
  'store',
  'dialects',
  'phase',
];
const observing = [...pure, 'async', 'observe'];
const reading = [...pure, 'async', 'cache', 'runtime'];
const writing = [...reading, 'read'];
const stepping = [...writing, 'observe', 'write', 'wake-ups', 'turns'];

/** The rooms of `shared`, from the lowest floor up, and which others each may import. A new arrow is a decision. */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  time: [],
  text: [],
  async: ['time'],
  kubernetes: ['text', 'time'],
  actuator: ['kubernetes', 'text', 'time'],
  machine: ['kubernetes', 'text', 'time'],
  drain: ['kubernetes', 'machine', 'text', 'time'],
  hooks: ['kubernetes', 'machine', 'text', 'time'],
  blocked: ['kubernetes', 'machine', 'text', 'time'],
  policies: ['blocked', 'kubernetes', 'machine', 'text', 'time'],
  store: ['async', 'drain', 'kubernetes', 'machine', 'text', 'time'],
  volumes: ['drain', 'kubernetes', 'machine', 'text', 'time'],
  dialects: ['actuator', 'drain', 'kubernetes', 'machine', 'text', 'time'],
  phase: [
    'actuator',
    'blocked',
    'dialects',
    'drain',
    'hooks',
    'kubernetes',
    'machine',
    'policies',
    'text',
    'time',
  ],
  adapters: ['actuator', 'async', 'drain', 'kubernetes', 'machine', 'store', 'time'],
  cache: [...pure, 'async'],
  observe: [...pure, 'async'],
  runtime: [...pure, 'async', 'cache'],
  http: ['async', 'events', 'kubernetes', 'machine', 'runtime', 'time'],
  'wake-ups': reading,
  read: reading,
  write: writing,
  turns: writing,
  assess: [...observing, 'read', 'runtime'],
  plan: [
    'assess',
    'blocked',
    'dialects',
    'drain',
    'kubernetes',
    'machine',
    'phase',
    'text',
    'time',
    'volumes',
    'actuator',
  ],
  explain: [
    'assess',
    'blocked',
    'dialects',
    'drain',
    'hooks',
    'kubernetes',
    'machine',
    'phase',
    'plan',
    'policies',
    'store',
    'text',
    'time',
    'volumes',
  ],
  reconcile: stepping,
  provision: stepping,
  follow: [...writing, 'assess', 'plan', 'explain', 'write'],
  intake: [...stepping, 'assess', 'provision', 'follow'],
};

/** A room stands one floor above the highest that it may import. */
export function floorOf(room: string): number {
  return 1 + Math.max(0, ...below(room).map(floorOf));
}

/** A line from a room to each it may import, without those that other lines lead to. */
export function picture(): string {
  const lines = Object.keys(mayImport).flatMap((room) => {
    const others = below(room);
    const direct = others.filter((other) => !others.some((between) => reaches(between, other)));
    return direct.length === 0 ? [] : [`  ${room} --> ${direct.join(' & ')}`];
  });
  return ['```mermaid', 'flowchart TD', ...lines.toReversed(), '```', ''].join('\n');
}

const below = (room: string): string[] => mayImport[room]!.filter((other) => other in mayImport);

const reaches = (room: string, other: string): boolean =>
  below(room).some((next) => next === other || reaches(next, other));
