import { errorTexts } from '../data/contracts.data.ts';
import { usePreferences } from './preferences.tsx';

type Tone = 'quiet' | 'good' | 'warn' | 'bad' | 'busy';
type Row = readonly [tone: Tone, en: string, es: string];

/** What is stored as a code, as people read it. A code without a row is shown as it is. */
const labels: Readonly<Record<string, Row>> = {
  // Of requests
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
  AUTOMATICALLY_VALIDATING: ['busy', 'Being checked', 'En comprobación'],
  COMPLETED: ['good', 'Completed', 'Completa'],
  // Of validations, messages, deliveries, certificates and whatever else has a state
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
  // Of sessions
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
  NATURAL_PERSON: ['quiet', 'Natural person', 'Persona natural'],
  LEGAL_REPRESENTATIVE: ['quiet', 'Legal representative', 'Representante legal'],
  automatic: ['quiet', 'Automatic', 'Automática'],
  manual: ['quiet', 'One reviewer', 'Un revisor'],
  'four-eyes': ['warn', 'Four eyes', 'Cuatro ojos'],
  POLICY: ['quiet', "The partner's policy", 'La política del tercero'],
  REGISTRY: ['warn', "The registry's answer", 'La respuesta del registro'],
  ONE_WEEK: ['quiet', '1 week', '1 semana'],
  ONE_MONTH: ['quiet', '1 month', '1 mes'],
  ONE_YEAR: ['quiet', '1 year', '1 año'],
  TWO_YEARS: ['quiet', '2 years', '2 años'],
  THREE_YEARS: ['quiet', '3 years', '3 años'],
  FOUR_YEARS: ['quiet', '4 years', '4 años'],
  FIVE_YEARS: ['quiet', '5 years', '5 años'],
};

export interface Label {
  readonly tone: Tone;
  readonly text: string;
}

/** How a code is shown to this operator: a state, a family, a role, or a code of the error catalogue. */
export function useLabels(): (code: string) => Label {
  const { language } = usePreferences();
  return (code) => {
    const row = Object.hasOwn(labels, code) ? labels[code] : undefined;
    if (row !== undefined) return { tone: row[0], text: language === 'es' ? row[2] : row[1] };
    const error = Object.hasOwn(errorTexts, code) ? errorTexts[code as keyof typeof errorTexts] : undefined;
    return error === undefined ? { tone: 'quiet', text: code } : { tone: 'bad', text: error[language] };
  };
}
