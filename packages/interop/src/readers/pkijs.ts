import { readFileSync } from 'node:fs';
import { attempt, type Outcome, type Reader } from './reader.ts';

const pkijs = await import('pkijs');

function buffer(path: string): ArrayBuffer {
  return new Uint8Array(readFileSync(path)).buffer;
}

/** pkijs: library of signers in browsers, based on Web Cryptography. */
export const pkijsReader: Reader = {
  name: 'pkijs',
  does: 'verifies the chain, judges by CRL and OCSP',
  missing: () => undefined,
  async read({ samples, file, authorities }) {
    const certificateAt = (path: string) => pkijs.Certificate.fromBER(buffer(path));
    const root = certificateAt(file('root.cer'));
    const others = authorities
      .filter((name) => name !== 'root')
      .map((name) => certificateAt(file(`${name}.cer`)));
    const crls = authorities.map((name) =>
      pkijs.CertificateRevocationList.fromBER(buffer(file(`${name}.crl`))),
    );
    const outcomes: Outcome[] = [];
    for (const sample of samples) {
      const certificate = certificateAt(file(`${sample.name}.cer`));
      outcomes.push(
        await attempt(sample, 'judges by CRL', async () => {
          const engine = new pkijs.CertificateChainValidationEngine({
            trustedCerts: [root],
            certs: [...others, certificate],
            crls,
            checkDate: new Date(),
          });
          const { result, resultMessage } = await engine.verify();
          if (sample.isGood) return result ? undefined : resultMessage;
          return !result && /revoked/i.test(resultMessage) ? undefined : `${result} ${resultMessage}`;
        }),
        await attempt(sample, 'judges by OCSP', async () => {
          const response = pkijs.OCSPResponse.fromBER(buffer(sample.ocsp));
          const issuer = certificateAt(file(`${sample.authority}.cer`));
          const { isForCertificate, status } = await response.getCertificateStatus(certificate, issuer);
          const wanted = sample.isGood ? 0 : 1;
          return isForCertificate && status === wanted ? undefined : `status ${status}`;
        }),
      );
    }
    return outcomes;
  },
};
