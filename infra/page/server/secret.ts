import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 bits, in letters that an address may have. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Takes as long for a wrong secret as for the right one. */
export function isSecret(given: string | undefined, secret: string): boolean {
  return given !== undefined && timingSafeEqual(digest(given), digest(secret));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
