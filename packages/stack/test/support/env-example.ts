import { processesOnBus } from '@rubrica/contracts/messages/accounts';
import type { SettingRow } from '@rubrica/process/config';
import {
  type Deployable,
  deployables,
  fileChecker,
  readDeployableSettings,
  readFileCheckerSettings,
} from '../../src/deploy/read-deployable-settings.ts';
import { databaseServices } from '../../src/setup/services.ts';

const head = () => `# Settings of a deployment by compose.yaml. "npm run secrets" copies this file to .env
# and fills in the passwords; what is left empty and has no default is for you to say.
# A value with more than letters, digits and @%+=:,./_- stands in single quotes: so a shell can source the file too.

# The address under which partners and applicants reach the gateway.
BASE_URL=https://firmas.example.org
# E-mail addresses of the first two administrators, divided by a comma. Each gets a link to choose a password.
FIRST_ADMINISTRATORS=
# Port on this machine's loopback to which the proxy that ends TLS forwards.
GATEWAY_PORT=3000
# The address under which operators reach the console: an origin of its own.
CONSOLE_URL=https://consola.example.org
# Port on this machine's loopback to which the proxy forwards it.
CONSOLE_PORT=3010
# What the console seals sessions with; a further key before it, divided by a comma, rotates.
CONSOLE_COOKIE_KEYS=
# Addresses of that proxy, as the gateway and the console see it.
TRUST_PROXY=
# Origins of dashboards that may call /trpc, divided by commas.
CORS_ORIGINS=
# http address under which certificates, CRL and OCSP are published, where BASE_URL is https.
PKI_BASE_URL=
SMTP_URL=smtp://mail.example.org:587
MAIL_FROM='Rubrica <no-reply@example.org>'
# Where SMS with codes are posted to (apps/notifier/README.md, "SMS provider"), and its bearer token.
SMS_URL=
SMS_TOKEN=
TIME_ZONE=America/Guayaquil
LOG_LEVEL=info
# Civil registry, tax registry and proofs of life, with their bearer tokens: the contract they keep is in
# apps/intake/src/outside/README.md, "Registries and liveness". Needed unless SANDBOX=true.
REGISTRY_URL=
REGISTRY_TOKEN=
TAX_REGISTRY_URL=
TAX_REGISTRY_TOKEN=
LIVENESS_URL=
LIVENESS_TOKEN=
# true answers registries, liveness and SMS in process: for trying out, never for real certificates. It wants an http
# BASE_URL, and a database that was made with it: there is no way from one to the other.
SANDBOX=false

# Group of the files in secrets/, whose members the containers become; with a rootless engine 0.
SECRETS_GID=

# Passwords. Each begins with a letter (nats-server's configuration needs it) and holds nothing an address escapes.
${passwords().join('\n')}
`;

function passwords(): string[] {
  const users = [
    'POSTGRES',
    ...databaseServices.flatMap((service) => [`${service}_OWNER`, service]),
    ...processesOnBus.map((name) => `NATS_${name.replaceAll('-', '_')}`),
  ];
  return users.map((user) => `${user.toUpperCase()}_PASSWORD=`);
}

/** The whole of deploy/.env.example. */
export async function renderEnvExample(): Promise<string> {
  const parts = await Promise.all(deployables.map(renderService));
  const intro = `
# Every setting of each service, with its default. compose.yaml sets what a deployment needs; anything else goes
# into config/<service>.env, which only that service reads.
`;
  const checker = `\n# ---- ${fileChecker} ----\n${(await readFileCheckerSettings()).map(row).join('')}`;
  return head() + intro + parts.join('') + checker;
}

async function renderService(service: Deployable): Promise<string> {
  const { running, provisioning } = await readDeployableSettings(service);
  const step =
    provisioning.length === 0
      ? ''
      : `\n# ${service}, provisioning step only\n${provisioning.map(row).join('')}`;
  return `\n# ---- ${service} ----\n${running.map(row).join('')}${step}`;
}

function row({ env, required, default: fallback, about, secret }: SettingRow): string {
  const notes = [required ? 'required' : '', secret ? 'secret' : ''].filter((note) => note !== '').join(', ');
  return `# ${about}${notes === '' ? '' : ` (${notes})`}\n# ${env}=${quoted(fallback ?? '')}\n`;
}

/** As compose and a shell read it alike. A single quote itself could not be written for both. */
function quoted(value: string): string {
  if (value.includes("'")) throw new Error(`cannot be written for a shell and compose alike: ${value}`);
  return /^[\w@%+=:,./-]*$/.test(value) ? value : `'${value}'`;
}
