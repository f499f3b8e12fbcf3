// Passkeys: to create one, to sign in with one, and to confirm who is signed in. The server sends the options of a ceremony
// as JSON, and gets the authenticator's answer as JSON in a form. Binary members are in base64url.
"use strict";

{
  const bytesOf = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
  const textOf = (bytes) =>
    btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");

  // The options as browsers take them.
  function decoded(options) {
    const known = (list) => list?.map((it) => ({ ...it, id: bytesOf(it.id) }));
    const own = { ...options, challenge: bytesOf(options.challenge) };
    if (options.user) own.user = { ...options.user, id: bytesOf(options.user.id) };
    if (options.excludeCredentials) own.excludeCredentials = known(options.excludeCredentials);
    if (options.allowCredentials) own.allowCredentials = known(options.allowCredentials);
    return own;
  }

  // The answer as the server takes it.
  function encoded({ id, rawId, type, response }) {
    const names = ["attestationObject", "authenticatorData", "clientDataJSON", "signature", "userHandle"];
    const members = names.filter((name) => name in response);
    const encodedMembers = members.map((name) => [name, response[name] ? textOf(response[name]) : null]);
    return JSON.stringify({ id, rawId: textOf(rawId), type, response: Object.fromEntries(encodedMembers) });
  }

  const REASONS = {
    InvalidStateError: "This device has a passkey of yours already.",
    NotAllowedError: "No passkey was used. Try again.",
    SecurityError: "Passkeys work only at the public address of the service.",
  };

  async function optionsFrom(address, headers) {
    const answer = await fetch(address, { method: "POST", headers });
    if (!answer.ok) throw new Error(`${answer.status}`);
    return answer.json();
  }

  // Sends the answer in a form.
  function send(form, name, answer) {
    form.elements[name].value = encoded(answer);
    form.requestSubmit();
  }

  // Does a ceremony when a button is pressed, and says in the form why it failed.
  async function attempt(form, ceremony) {
    const status = form.querySelector("[role=status]");
    status.textContent = "";
    try {
      await ceremony();
    } catch (error) {
      status.textContent = REASONS[error.name] ?? "The passkey could not be used. Try again.";
    }
  }

  // The form is sent once it has an answer.
  function onSubmit(form, ceremony) {
    form.addEventListener("submit", (event) => {
      if (form.elements.credential.value) return;
      event.preventDefault();
      attempt(form, ceremony);
    });
    // A page that is shown again must not send an old answer.
    addEventListener("pageshow", () => { form.elements.credential.value = ""; });
  }

  function create(form) {
    const button = form.querySelector("button");
    button.disabled = false;
    form.querySelector("[role=status]").textContent = "";
    onSubmit(form, async () => {
      const publicKey = decoded(JSON.parse(form.dataset.options));
      send(form, "credential", await navigator.credentials.create({ publicKey }));
    });
  }

  function signIn(form) {
    const address = `${new URL(form.action).pathname}/options`;
    let waiting = new AbortController();
    form.hidden = false;

    // Offers passkeys among what the browser fills in.
    async function offer() {
      const canOffer = await PublicKeyCredential.isConditionalMediationAvailable?.();
      if (!canOffer || !document.querySelector("[autocomplete~=webauthn]")) return;
      const { signal } = waiting;
      const publicKey = decoded(await optionsFrom(address));
      if (signal.aborted) return;
      send(form, "credential", await navigator.credentials.get({ mediation: "conditional", publicKey, signal }));
    }

    onSubmit(form, async () => {
      waiting.abort();
      waiting = new AbortController();
      const publicKey = decoded(await optionsFrom(address));
      send(form, "credential", await navigator.credentials.get({ publicKey }));
    });
    offer().catch(() => {}); // people can still press the button
  }

  function confirm(button) {
    const form = button.form;
    button.hidden = false;
    button.addEventListener("click", () => attempt(form, async () => {
      const headers = { "X-CSRF-Token": form.elements.csrf_token.value };
      const publicKey = decoded(await optionsFrom("/account/passkeys/options", headers));
      send(form, "passkey", await navigator.credentials.get({ publicKey }));
    }));
  }

  if (window.PublicKeyCredential && navigator.credentials) {
    document.querySelectorAll("form[data-passkey=create]").forEach(create);
    document.querySelectorAll("form[data-passkey=sign-in]").forEach(signIn);
    document.querySelectorAll("button[data-passkey=confirm]").forEach(confirm);
  }
}
