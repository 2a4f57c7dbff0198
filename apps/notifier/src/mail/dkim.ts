import { createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';

export interface DkimOptions {
  readonly domainName: string;
  readonly keySelector: string;
  readonly privateKey: string;
}

export interface DkimSettings {
  readonly domain?: string;
  readonly selector?: string;
  readonly keyFile?: string;
}

const minBits = 2_048;

/**
 * Reads the key for signing mails (RFC 6376); undefined where none is configured.
 * @throws Error naming the setting, at the start: unsigned mail would be treated as spam unnoticed
 */
export async function readDkim(settings: DkimSettings): Promise<DkimOptions | undefined> {
  const { domain, selector, keyFile } = settings;
  if (domain === undefined || selector === undefined || keyFile === undefined) return undefined;
  const privateKey = await readFile(keyFile, 'utf8').catch((cause: unknown) => {
    throw new Error('DKIM_KEY_FILE cannot be read', { cause });
  });
  if (!isStrongRsa(privateKey)) {
    throw new Error(`DKIM_KEY_FILE must hold an RSA private key of at least ${minBits} bits, as PEM`);
  }
  return { domainName: domain, keySelector: selector, privateKey };
}

function isStrongRsa(pem: string): boolean {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= minBits;
  } catch {
    return false;
  }
}
