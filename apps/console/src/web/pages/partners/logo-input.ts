/** Reads the logo from the form: absent if unchanged, null if removed. */
export async function readLogoInput(form: FormData): Promise<{ readonly logo?: string | null }> {
  if (form.has('removeLogo')) return { logo: null };
  const file = form.get('logo');
  if (!(file instanceof Blob) || file.size === 0) return {};
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { logo: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
}
