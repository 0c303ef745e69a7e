/** What must be reached because a variable names its URL. */
interface Reached {
  /** For Services of this cluster. Their Pods may listen on another port than the Service. */
  namespaces: string[];
  /** Of all other hosts. */
  ports: number[];
}

const ofService = /^[^.]+\.(?<namespace>[^.]+)\.svc(\.|$)/;

export function reachedByUrl(values: readonly string[]): Reached {
  const urls = values
    .filter((value) => /^https?:/.test(value) && URL.canParse(value))
    .map((url) => new URL(url));
  return {
    namespaces: urls.flatMap((url) => namespaceOf(url) ?? []),
    ports: urls.filter((url) => namespaceOf(url) === undefined).map(portOf),
  };
}

const namespaceOf = ({ hostname }: URL): string | undefined =>
  ofService.exec(hostname)?.groups?.['namespace'];

const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
