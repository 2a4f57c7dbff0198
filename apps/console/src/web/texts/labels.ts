import { errorTexts } from '../data/contracts.data.ts';
import { usePreferences } from './preferences.tsx';

type Tone = 'quiet' | 'good' | 'warn' | 'bad' | 'busy';
type Row = readonly [tone: Tone, en: string, es: string];

/** Labels of stored codes. A code without a row is shown unchanged. */
const labels: Readonly<Record<string, Row>> = {
  // Requests
  REGISTERED: ['busy', 'Registered', 'Registrada'],
  VALIDATING: ['busy', 'Validating', 'Validando'],
  ERROR: ['bad', 'In error', 'Con error'],
  APPROVED: ['good', 'Approved', 'Aprobada'],
  GENERATING: ['busy', 'Generating', 'Generando'],
  GENERATED: ['good', 'Issued', 'Emitida'],
  REFUSED: ['quiet', 'Refused', 'Rechazada'],
  CANCELLED: ['quiet', 'Cancelled', 'Cancelada'],
  EXPIRED: ['quiet', 'Expired', 'Caducada'],
  MANUALLY_VALIDATING: ['warn', 'In review', 'En revisión'],
  AUTOMATICALLY_VALIDATING: ['busy', 'Checking', 'En verificación'],
  COMPLETED: ['good', 'Completed', 'Completa'],
  // States of validations, messages, deliveries, certificates and others
  PENDING: ['busy', 'Pending', 'Pendiente'],
  IN_PROGRESS: ['busy', 'In progress', 'En curso'],
  WAITING: ['busy', 'Waiting', 'En espera'],
  SUCCESS: ['good', 'Passed', 'Superada'],
  VALID: ['good', 'Valid', 'Válido'],
  VALIDATED: ['good', 'Validated', 'Validada'],
  REJECTED: ['bad', 'Rejected', 'Rechazado'],
  ACTIVE: ['good', 'Active', 'Activo'],
  REVOKED: ['bad', 'Revoked', 'Revocado'],
  SUSPENDED: ['warn', 'On hold', 'Suspendido'],
  ON_HOLD: ['warn', 'On hold', 'Suspendido'],
  SENT: ['good', 'Sent', 'Enviado'],
  DELIVERED: ['good', 'Delivered', 'Entregado'],
  FAILED: ['bad', 'Failed', 'Fallido'],
  SUPERSEDED: ['quiet', 'Superseded', 'Reemplazado'],
  OPEN: ['warn', 'Open', 'Abierta'],
  // Sessions
  password: ['quiet', 'Password', 'Contraseña'],
  totp: ['quiet', 'Password and code', 'Contraseña y código'],
  passkey: ['quiet', 'Passkey', 'Llave de acceso'],
  oidc: ['quiet', 'OpenID provider', 'Proveedor OpenID'],
  invitation: ['quiet', 'Invitation', 'Invitación'],
  breakGlass: ['bad', 'Break-glass', 'Acceso de emergencia'],
  // Roles
  viewer: ['quiet', 'Viewer', 'Consulta'],
  reviewer: ['busy', 'Reviewer', 'Revisor'],
  admin: ['good', 'Administrator', 'Administrador'],
  // Families
  TV: ['quiet', 'Linked partner', 'Tercero vinculado'],
  FR: ['quiet', 'Regular', 'Regular'],
  FT: ['quiet', 'Transactional', 'Transaccional'],
  FS: ['quiet', 'Simplified', 'Simplificada'],
  FA: ['quiet', 'API flow', 'Flujo por API'],
  API: ['quiet', 'API flow', 'Flujo por API'],
  // Types and policies
  TRADITIONAL_SIGNATURE: ['quiet', 'Traditional signature', 'Firma tradicional'],
  TRANSACTIONAL_SIGNATURE: ['quiet', 'Transactional signature', 'Firma transaccional'],
  CI: ['quiet', 'Identity card', 'Cédula'],
  NATURAL_PERSON: ['quiet', 'Natural person', 'Persona natural'],
  LEGAL_REPRESENTATIVE: ['quiet', 'Legal representative', 'Representante legal'],
  'certificate.expiring': ['quiet', 'Certificate about to expire', 'Certificado por vencer'],
  'certificate.revoked': ['quiet', 'Certificate revoked', 'Certificado revocado'],
  automatic: ['quiet', 'Automatic', 'Automática'],
  manual: ['quiet', 'One reviewer', 'Un revisor'],
  'four-eyes': ['warn', 'Two reviewers', 'Dos revisores'],
  POLICY: ['quiet', "The partner's policy", 'La política del tercero'],
  REGISTRY: ['warn', 'Registry response', 'Respuesta del registro'],
  ONE_WEEK: ['quiet', '1 week', '1 semana'],
  ONE_MONTH: ['quiet', '1 month', '1 mes'],
  ONE_YEAR: ['quiet', '1 year', '1 año'],
  TWO_YEARS: ['quiet', '2 years', '2 años'],
  THREE_YEARS: ['quiet', '3 years', '3 años'],
  FOUR_YEARS: ['quiet', '4 years', '4 años'],
  FIVE_YEARS: ['quiet', '5 years', '5 años'],
  // Destinations and deliveries
  EXHAUSTED: ['bad', 'Not delivered', 'Sin entregar'],
  STOPPED: ['warn', 'Stopped', 'Detenido'],
  FAILING: ['warn', 'Failing', 'Con fallos'],
  DISABLED: ['bad', 'Disabled', 'Desactivado'],
  TRIAL: ['busy', 'On trial', 'A prueba'],
  ENABLED: ['good', 'Active', 'Activo'],
  ISSUER: ['quiet', 'Expiry of the issuer', 'Vencimiento del emisor'],
  APPOINTMENT: ['quiet', 'Expiry of the appointment', 'Vencimiento del nombramiento'],
  // Names without a state
  REQUEST_DATA: ['quiet', 'Request data', 'Datos de la solicitud'],
  EVIDENCE: ['quiet', 'Evidence', 'Evidencia'],
  PASSWORD: ['quiet', 'Password', 'Contraseña'],
  LINK: ['quiet', 'Claim link', 'Enlace para retirar'],
  MESSAGES: ['quiet', 'Messages', 'Mensajes'],
  TERMS_ACCEPTANCE: ['quiet', 'Acceptance of terms', 'Aceptación de términos'],
  CERTIFICATE: ['quiet', 'Certificate', 'Certificado'],
  BUNDLE: ['quiet', 'PKCS#12 file', 'Archivo PKCS#12'],
  DELIVERY: ['quiet', 'Webhooks', 'Webhooks'],
  UNTIL_END: ['quiet', 'until the request ends', 'hasta que termine la solicitud'],
  AT_END: ['quiet', 'deleted when the request ends', 'se elimina al terminar la solicitud'],
  AFTER_END: ['quiet', 'after the request ends', 'después de terminar la solicitud'],
  AFTER_CERTIFICATE: ['quiet', 'after the certificate expires', 'después de vencer el certificado'],
  REGISTER: ['quiet', 'certificate register: permanent', 'registro de certificados: permanente'],
  LEGAL_HOLD: ['quiet', 'legal hold', 'retención legal'],
  email: ['quiet', 'E-mail', 'Correo'],
  sms: ['quiet', 'SMS', 'SMS'],
  gateway: ['quiet', 'Gateway', 'Puerta de enlace'],
  intake: ['quiet', 'Requests and partners (intake)', 'Solicitudes y terceros (intake)'],
  generation: ['quiet', 'Certificates (generation)', 'Certificados (generation)'],
  terms: ['quiet', 'Terms', 'Términos (terms)'],
  notifier: ['quiet', 'Webhooks and messages (notifier)', 'Webhooks y mensajes (notifier)'],
  client: ['quiet', 'Client secret', 'Secreto de cliente'],
  webhook: ['quiet', 'Webhook secret', 'Secreto de webhook'],
  'webhook-ed25519': ['quiet', 'Webhook key (Ed25519)', 'Llave de webhook (Ed25519)'],
  PARTNER: ['quiet', 'By the partner', 'Del tercero'],
  ONE_TIME_PASSWORD: [
    'quiet',
    'By the applicant at the claim, unless the partner sends one',
    'Del solicitante al retirar, salvo que el tercero la envíe',
  ],
  'collector:write': ['quiet', 'Register requests', 'Registrar solicitudes'],
  'manager:write': ['quiet', 'Manage requests', 'Gestionar solicitudes'],
  'status:read': ['quiet', 'Read statuses', 'Consultar estados'],
  'certificates:revoke': ['quiet', 'Revoke certificates', 'Revocar certificados'],
  unspecified: ['quiet', 'Unspecified', 'Sin especificar'],
  keyCompromise: ['quiet', 'Key compromised', 'Llave comprometida'],
  affiliationChanged: ['quiet', 'Affiliation changed', 'Cambio de afiliación'],
  superseded: ['quiet', 'Superseded', 'Reemplazado'],
  cessationOfOperation: ['quiet', 'No longer used', 'Cese de uso'],
  privilegeWithdrawn: ['quiet', 'Privilege withdrawn', 'Privilegio retirado'],
  certificateHold: ['quiet', 'Certificate hold', 'Suspensión'],
  // Changes that need an approver
  'partners.create': ['quiet', 'New partner', 'Nuevo tercero'],
  'partners.update': ['quiet', 'Change settings of a partner', 'Cambiar configuración de un tercero'],
  'partners.rotateSecret': ['quiet', 'Replace a secret', 'Reemplazar un secreto'],
  'partners.addKey': ['quiet', 'Add a public key', 'Agregar una llave pública'],
  'partners.issueToken': ['quiet', 'Issue an API token', 'Emitir un token de API'],
  'terms.activate': ['quiet', 'Put terms in force', 'Poner términos en vigencia'],
  'certificates.revoke': ['quiet', 'Revoke a certificate', 'Revocar un certificado'],
  'certificates.revokeMany': ['quiet', 'Revoke many certificates', 'Revocar muchos certificados'],
  'certificates.release': ['quiet', 'Release a certificate hold', 'Habilitar un certificado suspendido'],
  'requests.releaseLegalHold': ['quiet', 'Release a legal hold', 'Levantar una retención legal'],
  'requests.erase': ['quiet', 'Erase data', 'Borrar datos'],
  'operators.invite': ['quiet', 'Invite an operator', 'Invitar a un operador'],
  'operators.changeRole': ['quiet', 'Change a role', 'Cambiar un rol'],
  'operators.enable': ['quiet', 'Enable an operator', 'Activar a un operador'],
  'operators.resetFactors': ['quiet', 'Reset second factors', 'Restablecer segundos factores'],
  // Entries of a timeline
  register: ['quiet', 'Registered', 'Registrada'],
  registerWithErrors: ['quiet', 'Registered, with errors', 'Registrada, con errores'],
  startValidation: ['quiet', 'Checks started', 'Verificaciones iniciadas'],
  askForReview: ['quiet', 'Sent to review', 'Enviada a revisión'],
  failValidation: ['quiet', 'Check failed', 'Verificación fallida'],
  refuse: ['quiet', 'Refused', 'Rechazada'],
  approve: ['quiet', 'Approved', 'Aprobada'],
  passToGeneration: ['quiet', 'Sent to issuance', 'Enviada a emisión'],
  claim: ['quiet', 'Claimed by the applicant', 'Retirada por el solicitante'],
  sendRenewalCode: ['quiet', 'Renewal code sent', 'Código de renovación enviado'],
  sendRevokeCode: ['quiet', 'Revocation code sent', 'Código de revocación enviado'],
  revoke: ['bad', 'Revoked by the subscriber', 'Revocado por su titular'],
  dispute: ['bad', 'Disputed by the applicant', 'Desconocida por el solicitante'],
  reportWrongData: ['warn', 'Applicant reported wrong data', 'El solicitante informó datos incorrectos'],
  issue: ['quiet', 'Certificate issued', 'Certificado emitido'],
  failGeneration: ['quiet', 'Issuance failed', 'Emisión fallida'],
  retryRegistration: ['quiet', 'Retried', 'Reintentada'],
  validateAgain: [
    'quiet',
    'Checks repeated after an upgrade',
    'Verificaciones repetidas tras una actualización',
  ],
  retryValidation: ['quiet', 'Checks repeated', 'Verificaciones repetidas'],
  retryGeneration: ['quiet', 'Issuance repeated', 'Emisión repetida'],
  exceedRetries: ['quiet', 'No retries left', 'Sin más reintentos'],
  cancel: ['quiet', 'Cancelled', 'Cancelada'],
  expire: ['quiet', 'Expired', 'Caducada'],
  registerStepwise: ['quiet', 'Registered, step by step', 'Registrada, paso a paso'],
  passIdentity: ['quiet', 'Identity proven', 'Identidad comprobada'],
  passSteps: ['quiet', 'All steps passed', 'Todos los pasos superados'],
  issueStepwise: ['quiet', 'Issuance requested', 'Emisión solicitada'],
  refuseStep: ['quiet', 'Step refused', 'Paso rechazado'],
  claimed: ['quiet', 'Claimed', 'Retirada'],
  // Outcomes of attempts, and actors
  ACKNOWLEDGED: ['quiet', 'Acknowledged', 'Confirmado'],
  GONE: ['quiet', 'Gone (410)', 'Retirado (410)'],
  NOT_SENT: ['quiet', 'Not sent', 'No enviado'],
  REDIRECTED: ['quiet', 'Redirected', 'Redirigido'],
  TIMEOUT: ['quiet', 'Timeout', 'Tiempo agotado'],
  partner: ['quiet', 'Partner', 'Tercero'],
};

export interface Label {
  readonly tone: Tone;
  readonly text: string;
}

/** Returns the label of a code for this operator: a state, a family, a role, or a code of the error catalogue. */
export function useLabels(): (code: string) => Label {
  const { language } = usePreferences();
  return (code) => {
    const row = Object.hasOwn(labels, code) ? labels[code] : undefined;
    if (row !== undefined) return { tone: row[0], text: language === 'es' ? row[2] : row[1] };
    const error = Object.hasOwn(errorTexts, code) ? errorTexts[code as keyof typeof errorTexts] : undefined;
    return error === undefined ? { tone: 'quiet', text: code } : { tone: 'bad', text: error[language] };
  };
}

/** Returns the label without a tone, for names without a state. */
export function useLabelTexts(): (code: string) => string {
  const getLabel = useLabels();
  return (code) => getLabel(code).text;
}
