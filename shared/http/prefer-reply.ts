import type { Headers } from './message.ts';

/**
 * Whether the sender says that it takes an event in the answer for a new one (`Prefer: reply`). Brokers do, all but
 * RabbitMQ's; sources that are bound to a function without one do not, and throw away what they are answered.
 */
export const readsReply = ({ prefer = '' }: Headers): boolean => /(?:^|,)\s*reply\s*(?:[;,]|$)/i.test(prefer);
