import type { Operation } from '../../../shared/actuator/contract.ts';
import type { Actuator, ActuatorRefusal } from '../../../shared/actuator/port.ts';

export interface ProviderAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

type AnyAnswer = Awaited<ReturnType<Actuator[Operation]>>;

/** What an actuator says, in the words of the HTTP contract. */
export function answerOf(answer: AnyAnswer): ProviderAnswer {
  switch (answer.kind) {
    case 'exists':
      return json(200, { exists: true, retryAfterSeconds: answer.retryAfterSeconds });
    case 'absent':
      return json(200, { exists: false });
    case 'done':
      return json(200, answer.report);
    case 'accepted':
      return json(202, {});
    default:
      return refusalAnswer(answer);
  }
}

/** An answer that only reports an error. */
export function errorAnswer(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): ProviderAnswer {
  return json(status, { error: { message } }, headers);
}

function refusalAnswer(refusal: ActuatorRefusal): ProviderAnswer {
  const { message } = refusal;
  if (refusal.kind === 'failed') return json(422, { error: { reason: refusal.reason, message } });
  const seconds = refusal.afterSeconds;
  // The header is for proxies in between; it takes only whole seconds.
  const header = { 'retry-after': String(Math.ceil(seconds)) };
  return json(503, { error: { message, retryAfterSeconds: seconds } }, header);
}

function json(status: number, body: object, headers: Record<string, string> = {}): ProviderAnswer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
