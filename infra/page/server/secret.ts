import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 128 bits: the address that has it fits a terminal of 80 columns. */
export const newToken = (): string => randomBytes(16).toString('base64url');

/** 256 bits, in letters that an address may have. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Takes as long for a wrong secret as for the right one. */
export function isSecret(given: string | undefined, secret: string): boolean {
  return given !== undefined && timingSafeEqual(digest(given), digest(secret));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
