// The only script of these pages. Without it a page reloads instead, or does less. It estimates the strength of a password
// by length and variety; the password leaves the page only in the form.
(() => {
  function find(selector) {
    return document.querySelector(selector);
  }

  function later(work, ms) {
    setTimeout(work, ms);
  }

  function strength(password) {
    if (password.length < 8) return 0;
    if (/^(.{1,3})\1+$|passw|contrase|1234|qwert|abcd/i.test(password)) return 1;
    const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password)).length;
    const points = Math.min(password.length, new Set(password).size * 1.6) + kinds * 2;
    return points < 13 ? 1 : points < 17 ? 2 : points < 22 ? 3 : 4;
  }

  function watchPassword() {
    const first = find('#password');
    const second = find('#passwordConfirmation');
    const meter = find('.strength');
    const unfit = find('[data-unfit]');
    const show = find('[data-show]');
    if (!first || !second || !meter || !unfit || !show) return;
    const words = meter.dataset.words.split('|');
    const compare = () => {
      const differs = second.value !== '' && second.value !== first.value;
      second.setCustomValidity(differs ? second.dataset.mismatch : '');
    };
    first.addEventListener('input', () => {
      const level = strength(first.value);
      unfit.hidden = /^[ -~]*$/.test(first.value);
      first.setCustomValidity(unfit.hidden ? '' : unfit.textContent);
      meter.hidden = first.value === '' || !unfit.hidden;
      meter.dataset.level = String(level);
      meter.querySelector('b').textContent = words[level];
      compare();
    });
    second.addEventListener('input', compare);
    show.hidden = false;
    show.addEventListener('click', () => {
      const shown = show.getAttribute('aria-pressed') !== 'true';
      show.setAttribute('aria-pressed', String(shown));
      for (const field of [first, second]) field.type = shown ? 'text' : 'password';
    });
  }

  function guardForms() {
    for (const form of document.querySelectorAll('form')) {
      const button = form.querySelector('button:not([type=button])');
      form.addEventListener('submit', (event) => {
        if (button.hasAttribute('aria-disabled')) return event.preventDefault();
        for (const field of form.querySelectorAll('#password, #passwordConfirmation'))
          field.type = 'password';
        button.setAttribute('aria-disabled', 'true');
        later(() => button.removeAttribute('aria-disabled'), form.matches('[data-download]') ? 4000 : 30000);
      });
    }
  }

  function countDown() {
    const hint = find('[data-wait]');
    if (!hint) return;
    const button = hint.parentNode.querySelector('button');
    const end = Date.now() + hint.dataset.wait * 1000;
    const tick = () => {
      const left = Math.ceil((end - Date.now()) / 1000);
      hint.hidden = left <= 0;
      button.disabled = left > 0;
      if (left <= 0) return;
      const [unit, size] = left < 90 ? ['second', 1] : left < 5400 ? ['minute', 60] : ['hour', 3600];
      const format = new Intl.NumberFormat(document.documentElement.lang, {
        style: 'unit',
        unit,
        unitDisplay: 'long',
      });
      hint.textContent = `${hint.dataset.begin} ${format.format(Math.ceil(left / size))}.`;
      later(tick, 1000);
    };
    tick();
  }

  function watchDownload() {
    const form = find('[data-download]');
    if (!form || find('[data-taken]')) return;
    const look = (looks) => {
      if (/rubrica-claim-taken=1/.test(document.cookie)) return refresh();
      if (looks > 0) later(() => look(looks - 1), 500);
    };
    form.addEventListener('submit', () => look(120));
  }

  async function refresh() {
    try {
      const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
      if (answer.status === 429 || answer.status >= 500) throw answer;
      const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
      find('main').replaceWith(next.querySelector('main'));
      document.title = next.title;
      find('h1').focus();
      later(start, find('[data-progress]') ? 3000 : 0);
    } catch {
      later(refresh, 10000);
    }
  }

  function watchProgress() {
    const box = find('[data-progress]');
    if (!box) return;
    const source = new EventSource(box.dataset.progress);
    source.onmessage = ({ data }) => {
      if (data === box.dataset.shown) return;
      source.close();
      refresh();
    };
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) later(refresh, 10000);
    };
  }

  function start() {
    watchPassword();
    guardForms();
    countDown();
    watchDownload();
    watchProgress();
  }

  addEventListener('DOMContentLoaded', () => {
    start();
    const summary = find('.summary');
    if (summary) summary.focus();
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted)
      for (const button of document.querySelectorAll('button')) button.removeAttribute('aria-disabled');
  });
})();
