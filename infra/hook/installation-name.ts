/** A hook's name, the last part of its annotation's key, has at most 63 characters, `phaseout-` among them. */
const pattern = /^[a-z0-9](?:[-a-z0-9]{0,52}[a-z0-9])?$/;

/** Why an installation cannot be called so; undefined where it can. It may be without a name: then this is empty. */
export const installationNameProblem = (name: string): string | undefined =>
  name === '' || pattern.test(name)
    ? undefined
    : `an installation is named by at most 54 lower-case letters, digits and dashes, not ${JSON.stringify(name)}`;
