import { faultNames, faults } from '../webhooks/answers.ts';
import { secretVariable } from './listen-options.ts';

function option(name: string, about: string) {
  return `  ${name.padEnd(22)} ${about}`;
}

export const listenHelp = `npm run listen [-- options]

Receives webhooks on this machine and shows each as it comes: whether its
signature is right and if not why, which attempt it is, how long it was under
way, and what is in it. Ctrl-C ends it with a summary.

  npm run listen -- --register                 see the whole loop at once
  npm run listen -- --save certificates        keep the .p12 files
  npm run listen -- --answer 500,hang,204      see how calls are repeated
  npm run -s listen -- --json | jq .signature  one JSON object per call

Verify with
${option('--secret <secret>', '"whsec_…", or the public key "whpk_…"; several may be')}
${option('', `given. ${secretVariable} in the environment does the same`)}
${option('--partner <name>', 'the secret of this partner of the stack that runs here:')}
${option('', 'sandbox (unless told otherwise), otp, other')}
${option('--tolerance <s>', 'seconds that a call may be old, or ahead (300)')}

Show and keep
${option('--show-secrets', 'passwords and whole certificate files, which are hidden')}
${option('--save <folder>', 'write the certificate of each verified certificate.issued')}
${option('', 'to <referenceTransaction>.p12')}
${option('--json', 'one JSON object per call and line; all else goes to stderr')}

Listen and register
${option('--port <port>', '0 takes any (4000, or a free one where that is taken)')}
${option('--register', 'register a request of the partner with this address')}

Answer (204 unless told otherwise), to see what a sender does then
${option('--answer <list>', 'a status, or several with commas: one per attempt of')}
${option('', 'an event, the last for all after; the words below too')}
${faultNames.map((name) => option(`--${name}`, faults[name].about)).join('\n')}
${option('--gone', 'answer 410: no further attempt is wanted')}
${option('--redirect <address>', 'answer 307 with this address')}
${option('--retry-after <s>', 'with each refusal; alone it means 503')}
${option('--delay <ms>', 'wait before each answer')}

Only POST to the address shown is taken; it is reachable from this machine alone.
Exits with 0 after Ctrl-C, 1 when it could not listen or register, 2 when it was
called wrongly.`;
