/** How much of each recorded answer must come back: all of it, or its status code and reason. */
type Level = 'full' | 'reason';

const quotesManagedFields = 'the refusal quotes the object with its managed fields, which are not kept';
const columnHelp = 'columns of built-in kinds come without their help texts';

interface Expectation {
  readonly level: Level;
  /** Steps that differ from the recording, each with the reason. */
  readonly differences: Readonly<Record<number, string>>;
}

const full: Expectation = { level: 'full', differences: {} };
const reason: Expectation = { level: 'reason', differences: {} };

/** What is expected of each transcript. */
export const expectations: Readonly<Record<string, Expectation>> = {
  '01-crud-configmap': reason,
  '01-crud-machine': reason,
  '01-crud-node': reason,
  '01-crud-pod': reason,
  '01-protocol-errors': reason,
  '02-concurrency': full,
  '03-merge-and-json-patch': {
    level: 'full',
    differences: {
      8: quotesManagedFields,
      12: quotesManagedFields,
      47: 'a patch that changes the apiVersion is refused before its fields are looked at',
      57: 'of three ways to say that a value is neither number nor text one is enough',
    },
  },
  '03-server-side-apply': full,
  '03-strategic-merge': reason,
  '04-status-and-generation': full,
  '05-finalizers': {
    level: 'full',
    differences: {
      11: 'a patch that changes nothing but managed fields is a write of its own to the real server',
    },
  },
  '06-propagation-without-gc': reason,
  '07-eviction-basic': full,
  '07-eviction-pdb': full,
  '07-eviction-terminating-namespace': full,
  '07-pod-delete': full,
  '08-list-paging': reason,
  '08-list-selectors': full,
  '09-watch': full,
  '09-watch-bookmarks-and-expiry': full,
  '09-watch-pod-lifecycle': full,
  '09-watch-selectors': full,
  '10-namespace-without-controller': reason,
  '11-discovery': {
    level: 'reason',
    differences: { 19: 'at this level the replayer does not learn the ETag that it is to send' },
  },
  '11-tables': { level: 'full', differences: { 3: columnHelp, 32: columnHelp } },
  '12-cr-schema-validation': reason,
  '12-machinedrainrule-validation': full,
  '13-storage-lease-events': {
    level: 'full',
    differences: { 18: quotesManagedFields, 19: quotesManagedFields },
  },
  '14-secrets': reason,
  '16-kubectl-drain': full,
  '16-kubectl-read': { level: 'reason', differences: { 67: columnHelp } },
  '16-kubectl-write': reason,
  '17-crd-lifecycle': {
    level: 'reason',
    differences: { 20: 'a definition goes at once, with its objects, rather than after them' },
  },
};
