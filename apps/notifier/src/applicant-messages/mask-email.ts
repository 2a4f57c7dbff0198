/** Masks an address: `jane@mail.com` becomes `j***@m***.com`, enough to recognise, too little to write to. */
export function maskEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  const dot = domain.lastIndexOf('.');
  const top = dot === -1 ? '' : domain.slice(dot);
  return `${local.slice(0, 1)}***@${domain.slice(0, 1)}***${top}`;
}
