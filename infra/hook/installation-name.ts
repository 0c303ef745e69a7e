/** A hook's name, the last part of its annotation's key, has at most 63 characters, `phaseout-` among them. */
const pattern = /^[a-z0-9](?:[-a-z0-9]{0,52}[a-z0-9])?$/;

/** Whether an installation may be called so; the one without a name is not called anything. */
export const isInstallationName = (name: string): boolean => name === '' || pattern.test(name);

/** What a name has to be, after "must be". */
export const installationNameRule = 'lower-case letters, digits and dashes, at most 54';
