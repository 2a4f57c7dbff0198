import { attempt, lacksProgram, type Outcome, type Reader, readProgramFault, run } from './reader.ts';

/** OpenSSL: opens the file, signs with its key (CMS), and checks the certificate with CRLs and with the OCSP answer. */
export const openssl: Reader = {
  name: 'OpenSSL',
  does: 'opens, signs CMS, judges by CRL and OCSP',
  missing: () => lacksProgram('openssl', 'openssl'),
  async read({ samples, file, write, directory }) {
    const outcomes: Outcome[] = [];
    for (const sample of samples) {
      const secret = write('password', `${sample.password}\n`);
      const signer = `${directory}/signer.pem`;
      const signed = `${directory}/signed.p7m`;
      outcomes.push(
        await attempt(sample, 'opens the file', () =>
          readProgramFault(
            run('openssl', [
              ...['pkcs12', '-in', sample.p12, '-passin', `file:${secret}`, '-noenc'],
              ...['-clcerts', '-out', signer],
            ]),
          ),
        ),
        await attempt(sample, 'signs', () =>
          readProgramFault(
            run('openssl', [
              ...['cms', '-sign', '-binary', '-nodetach', '-in', file('root.pem'), '-signer', signer],
              ...['-certfile', file('chain.pem')],
              ...['-outform', 'DER', '-out', signed],
            ]),
          ),
        ),
        await attempt(sample, 'verifies the signature', () =>
          readProgramFault(
            run('openssl', [
              ...['cms', '-verify', '-binary', '-inform', 'DER', '-in', signed, '-out', '/dev/null'],
              ...['-CAfile', file('root.pem')],
            ]),
          ),
        ),
        await attempt(sample, 'judges by CRL', () => {
          const judged = run('openssl', [
            ...['verify', '-x509_strict', '-crl_check_all', '-CRLfile', file('crls.pem')],
            ...['-CAfile', file('root.pem'), '-untrusted', file('chain.pem'), sample.certificate],
          ]);
          return sample.isGood
            ? readProgramFault(judged)
            : readProgramFault(judged, /certificate revoked/.test(judged.output));
        }),
        await attempt(sample, 'judges by OCSP', () => {
          const issuer = file(`${sample.authority}.pem`);
          const judged = run('openssl', [
            ...['ocsp', '-respin', sample.ocsp, '-issuer', issuer, '-cert', sample.certificate],
            ...['-CAfile', file('root.pem'), '-verify_other', file('chain.pem'), '-no_nonce'],
          ]);
          const wanted = sample.isGood ? /: good/ : /: revoked/;
          return readProgramFault(
            judged,
            /Response verify OK/.test(judged.output) && wanted.test(judged.output),
          );
        }),
      );
    }
    return outcomes;
  },
};
