import { attempt, lacksProgram, type Outcome, type Reader, readProgramFault, run } from './reader.ts';

export const gnutls: Reader = {
  name: 'GnuTLS',
  does: 'opens, verifies the chain, CRLs and OCSP answers',
  missing: () => lacksProgram('certtool', 'gnutls-bin'),
  async read({ samples, file, write, authorities }) {
    const outcomes: Outcome[] = [];
    for (const sample of samples) {
      const issuer = file(`${sample.authority}.pem`);
      outcomes.push(
        await attempt(sample, 'opens the file', () => {
          const shown = run('certtool', [
            ...['--p12-info', '--inder', '--infile', sample.p12, '--password', sample.password],
          ]);
          return readProgramFault(shown, shown.status === 0 && shown.output.includes('PRIVATE KEY-----'));
        }),
        await attempt(sample, 'verifies the chain', () => {
          const trust = ['--load-ca-certificate', file('root.pem')];
          const pem = run('cat', [sample.certificate, issuer]).output;
          return readProgramFault(
            run('certtool', ['--verify', ...trust, '--infile', write('gnutls.pem', pem)]),
          );
        }),
        await attempt(sample, 'judges by OCSP', () => {
          const shown = run('ocsptool', [
            ...['--verify-response', '--load-response', sample.ocsp, '--load-trust', file('chain.pem')],
          ]);
          const status = sample.isGood ? /Certificate Status: good/ : /Certificate Status: revoked/;
          return readProgramFault(shown, shown.output.includes('Success') && status.test(shown.output));
        }),
      );
    }
    for (const name of authorities) {
      outcomes.push(
        await attempt({ name }, 'verifies the CRL', () => {
          const args = ['--verify-crl', '--infile', file(`${name}.crl.pem`)];
          return readProgramFault(run('certtool', [...args, '--load-ca-certificate', file(`${name}.pem`)]));
        }),
      );
    }
    return outcomes;
  },
};
