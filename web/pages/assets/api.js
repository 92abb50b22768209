// SPDX-License-Identifier: BSD-2-Clause
// Copyright (c) 2026 The Assay authors
//
// The pages' way to the JSON API. Everything that changes something carries the session's CSRF token.

export class ApiError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

let session = null;

/** Who is signed in: {account: {name, owner}, csrf}, or null. Asked once. */
export async function whoami() {
  session ??= await api("GET", "/api/v1/session");
  return session.account ? session : null;
}

export function forgetSession() {
  session = null;
}

export async function api(method, path, body) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET" && session) headers["X-Assay-CSRF"] = session.csrf;
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new ApiError(0, "unreachable", "The service does not answer. Is it still running?");
  }
  if (answer.status === 204) return null;
  const json = await answer.json().catch(() => null);
  if (!answer.ok) {
    throw new ApiError(answer.status, json?.error?.code ?? "unknown", json?.error?.message ?? `Status ${answer.status}`);
  }
  return json;
}

/** How many octets a file is when it is sent; 0 where there is none. */
export async function weight(path) {
  const response = await fetch(path, { method: "HEAD" });
  return response.ok ? Number(response.headers.get("Content-Length")) : 0;
}

/** A text that belongs to a run, or null when there is none. */
export async function text(path) {
  const answer = await fetch(path);
  return answer.ok ? answer.text() : null;
}
