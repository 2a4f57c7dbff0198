import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** CBOR values (RFC 8949) that a passkey needs: small integers, text, bytes and maps. */
type Cbor = number | string | Uint8Array | ReadonlyMap<Cbor, Cbor>;

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, one]) => [cbor(key), cbor(one)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest();

export interface Signing {
  readonly challenge: string;
  readonly rpId?: string;
  readonly origin?: string;
  /** Flags; default: the person is present and was verified. */
  readonly flags?: number;
  readonly userHandle?: string;
}

const present = 0x01;
const verified = 0x04;
const hasCredential = 0x40;

/** Creates a passkey in software: ES256 on P-256, attestation "none" (WebAuthn §6.5, §8.7). */
export function softwareAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(16);
  const state = { counter: 0 };
  const id = base64url(credentialId);
  const named = { id, rawId: id, type: 'public-key', clientExtensionResults: {} } as const;

  const clientData = (type: string, { challenge, origin: at = origin }: Signing) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }));
  const authenticatorData = (rpId: string, flags: number) => {
    state.counter += 1;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(state.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter]);
  };

  return {
    state,
    id,
    create(asked: Signing) {
      const { rpId = new URL(origin).hostname, flags = present | verified } = asked;
      const key = new Map<Cbor, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]);
      const authData = Buffer.concat([
        authenticatorData(rpId, flags | hasCredential),
        Buffer.alloc(16),
        Buffer.from([0, credentialId.length]),
        credentialId,
        cbor(key),
      ]);
      const attestation = new Map<Cbor, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return {
        ...named,
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', asked)),
          attestationObject: base64url(cbor(attestation)),
          transports: ['internal'],
        },
      };
    },
    get(asked: Signing) {
      const { rpId = new URL(origin).hostname, flags = present | verified, userHandle } = asked;
      const data = clientData('webauthn.get', asked);
      const authData = authenticatorData(rpId, flags);
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey);
      return {
        ...named,
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authData),
          signature: base64url(signature),
          ...(userHandle === undefined ? {} : { userHandle }),
        },
      };
    },
  };
}
