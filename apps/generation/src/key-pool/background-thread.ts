import { generateKeyPairSync } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { keyAlgorithms } from '@rubrica/pki';

// On Linux this is the priority of the calling thread; elsewhere it would be that of the whole service.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

// It loads nothing else: what it takes in memory, the service takes.
parentPort?.on('message', (wanted: (typeof keyAlgorithms)[keyof typeof keyAlgorithms]) => {
  const { publicKey, privateKey } =
    wanted.kind === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: wanted.modulusBits })
      : generateKeyPairSync('ec', { namedCurve: wanted.curve });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  // Handed over and not copied: this thread keeps nothing of the private key.
  parentPort?.postMessage({ spki, pkcs8 }, [spki.buffer as ArrayBuffer, pkcs8.buffer as ArrayBuffer]);
});
