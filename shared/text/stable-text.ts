const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const word = /\w+(?:[.-]\w+)*/g;

/** A server's status shows what went wrong: 403 is another error than 503. */
const statusCode = /^[1-5]\d\d$/;

/**
 * Of words with a digit, an ID is hexadecimal, or too long for a name without a hyphen. Or it has capitals, as no
 * object's name has, and scattered digits, as no error's name has.
 */
const ids = [/^[0-9a-f]{8,}$/, /^(?=.*[A-Z])(?=.*\d\D+\d)[\w-]{8,}$/, /^[0-9a-z_]{16,}$/];

/**
 * What stays of an error's text for as long as its cause does. A port, a time, the ID of a request differ at each
 * attempt. So words that begin with a digit and IDs do not count. Names of objects count, also where they are numbered.
 */
export const lastingText = (text: string): string =>
  text.replaceAll(uuid, '#').replaceAll(word, (each) => (isPassing(each) ? '#' : each));

const isPassing = (each: string): boolean =>
  /^\d/.test(each) ? !statusCode.test(each) : /\d/.test(each) && ids.some((id) => id.test(each));
