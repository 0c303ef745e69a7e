import { listOf } from '../../text/truncate.ts';
import type { Cause } from '../explanation.ts';
import { meaningOf } from '../refusal-meaning.ts';

/** A webhook that denies the evictions of these Pods, by the API's own text. */
export const webhookCause = (webhook: string, pods: readonly string[], text: string): Cause => ({
  kind: 'eviction',
  code: 'AdmissionWebhook',
  phase: 'drain',
  what: `admission webhook ${webhook} refuses to evict ${listOf(pods, 3)}`,
  owner: `admission webhook ${webhook}`,
  details: [text],
  endsByItself: 'unknown',
  why: meaningOf({ cause: 'AdmissionWebhook', message: '' }).replace(/^U/, 'u'),
});
