import { createHash } from 'node:crypto';
import type { BundledPackage } from './bundled-packages.ts';

type Subject = Pick<BundledPackage, 'name' | 'version' | 'license'>;

/**
 * A CycloneDX 1.6 document of what is in the bundle. It has no time of its making, and its serial number comes from its
 * content. The same bundle has the same document.
 */
export function sbom(subject: Subject, packages: readonly BundledPackage[]): object {
  const components = packages.map(component);
  const content = JSON.stringify([subject, components]);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(content)}`,
    version: 1,
    metadata: { component: { ...named('application', subject), ...licensed(subject) } },
    components,
    dependencies: [{ ref: purl(subject), dependsOn: packages.map(purl) }],
  };
}

const component = (each: BundledPackage): object => ({
  ...named('library', each),
  purl: purl(each),
  ...licensed(each),
  ...hashes(each),
});

const named = (type: string, { name, version }: Subject): object => ({
  type,
  'bom-ref': purl({ name, version }),
  name,
  version,
});

/** The scope's @ is escaped, as package URLs want it. */
const purl = ({ name, version }: { name: string; version: string }): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

const licensed = ({ license }: { license: string }): object =>
  /\s/.test(license) ? { licenses: [{ expression: license }] } : { licenses: [{ license: { id: license } }] };

const algorithms: Readonly<Record<string, string>> = { sha512: 'SHA-512', sha256: 'SHA-256', sha1: 'SHA-1' };

function hashes({ integrity }: BundledPackage): object {
  const [algorithm = '', digest = ''] = integrity?.split('-') ?? [];
  const alg = algorithms[algorithm];
  if (alg === undefined) return {};
  return { hashes: [{ alg, content: Buffer.from(digest, 'base64').toString('hex') }] };
}

/** A version 8 UUID, which is free to be made of anything. */
function uuidOf(content: string): string {
  const hex = createHash('sha256').update(content).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}
