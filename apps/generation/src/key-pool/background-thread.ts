import { generateKeyPairSync } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { keyAlgorithms } from '@rubrica/pki';

// On Linux this sets the priority of the calling thread; elsewhere it would be that of the whole service.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

// Loads no other module, to keep its memory small.
parentPort?.on('message', (spec: (typeof keyAlgorithms)[keyof typeof keyAlgorithms]) => {
  const { publicKey, privateKey } =
    spec.kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: spec.modulusBits })
      : generateKeyPairSync('ec', { namedCurve: spec.curve });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  // Transferred, not copied: this thread keeps nothing of the private key.
  parentPort?.postMessage({ spki, pkcs8 }, [spki.buffer as ArrayBuffer, pkcs8.buffer as ArrayBuffer]);
});
