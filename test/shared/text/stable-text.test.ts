import { describe, expect, test } from 'vitest';
import { lastingText } from '../../../shared/text/stable-text.ts';

const reset = (port: string) => `read tcp 10.0.0.5:${port}->10.96.4.4:443: read: connection reset by peer`;

describe('an error lasts', () => {
  test.each([
    ['with another port', reset('51234'), reset('51235')],
    ['with another address', 'dial tcp 10.0.3.9:443: refused', 'dial tcp 10.0.14.27:443: refused'],
    ['at another time', 'since 2026-01-01T12:00:00Z', 'since 2026-02-03T14:15:16.123Z'],
    ['after another while', 'no answer after 9.998s', 'no answer after 10.002s'],
    ['with another pause', "try again after '17' seconds", "try again after '4' seconds"],
    ['of another try', 'attempt 9 failed', 'attempt 10 failed'],
    [
      'of another request',
      'RequestID: 0b7f1c9e-1a2b-4c3d-8e4f-5a6b7c8d9e0f, gone',
      'RequestID: C1D2E3F4-0000-4AAA-BBBB-ABCDEFABCDEF, gone',
    ],
    [
      'of another request, whose ID has a prefix',
      'req-0b7f1c9e-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
      'req-c1d2e3f4-0000-4aaa-bbbb-abcdefabcdef',
    ],
    ['of another request, counted', 'RequestID: 17-ad3f.', 'RequestID: 18-ad3f.'],
    ['on another ray', 'Ray 8f3c2a1b4d5e6f70-FRA', 'Ray 9a3c2a1b4d5e6f71-AMS'],
    ['in another trace', 'trace a3c2a1b4', 'trace f0e1d2c3'],
    ['of another request of a storage service', 'ID ZX8Q2KAB1C', 'ID PQ7RTT0A9B'],
    ['of another request, in small letters', 'id x9k2p1q8z7m3n4b5', 'id q7rtt0a9bzx8q2ka'],
    ['of another request, mixed with hyphens', 'id kJ2-x_9Qb7', 'id Zp0_-t4Wc'],
  ])('%s', (_how, one, other) => {
    expect(one).not.toBe(other);
    expect(lastingText(one)).toBe(lastingText(other));
  });
});

describe('an error is another one', () => {
  test.each([
    ['in other words', 'connection reset by peer', 'connection refused'],
    ['about another Node', 'unable to get Node node-1', 'unable to get Node node-2'],
    ['about another Pod', 'Pod shop/web-0', 'Pod shop/web-1'],
    ['about another Pod of a ReplicaSet', 'web-7d4b9c5f6d-x2x4z', 'web-7d4b9c5f6d-k8s9q'],
    ['about another Pod with a short name', 'Pod db-0', 'Pod db-1'],
    ['about another host', 'no such host ip1.example.com', 'no such host ip2.example.com'],
    ['with another answer', 'answered 403', 'answered 503'],
    ['with another first and last answer', 'answered 100.', 'answered 599.'],
    ['of another version of an API', 'v1beta1 is not served', 'v1beta2 is not served'],
    ['about something else with a long name', 'DeadlineExceeded', 'PermissionDenied'],
    ['with a name that only looks like an ID', 'ca-deadbeef facade decade', 'ca-deadbeef facade accede'],
    ['of another name with a digit', 'Ec2InstanceLocked', 'Ec2QuotaExceeded'],
    ['of another number with a prefix', 'AADSTS700016', 'AADSTS7000222'],
    ['about another kind', 'Metal3Machine', 'RKE2ConfigTemplate'],
    ['in a word that only looks like an ID', 'deadbeef', 'feedface'],
    ['with a short code', 'EC2Stop', 'EC2Wait'],
    ['with a word in small letters', 'x509 oauth2token', 'x509 oauth2secret'],
    ['of seven letters', 'pod a1b2c3d', 'pod a1b2c3e'],
  ])('%s', (_how, one, other) => {
    expect(lastingText(one)).not.toBe(lastingText(other));
  });
});

test('only what passes is left out', () => {
  expect(lastingText(reset('51234'))).toBe('read tcp #:#->#:443: read: connection reset by peer');
  expect(lastingText('req-0b7f1c9e-1a2b-4c3d-8e4f-5a6b7c8d9e0f, gone')).toBe('req-#, gone');
  expect(lastingText('answered 600 and 1000 after 99')).toBe('answered # and # after #');
});
