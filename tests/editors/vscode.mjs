// A real VS Code: squiggle, Problems panel, hover, quick fix; a screenshot is kept. Usage: node vscode.mjs URL FILE OUT
import { readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const [url, file, out] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
page.setDefaultTimeout(60_000);

async function command(text) {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").fill(`>${text}`);
  await page.locator(".quick-input-list .monaco-list-row").first().waitFor();
  await page.keyboard.press("Enter");
}

try {
  await page.goto(url);
  await page.locator(".monaco-workbench").waitFor();
  await page.locator(".explorer-folders-view").getByText("recipe.yaml").first().dblclick();
  await page.locator(".editor-instance .view-lines").first().waitFor();
  await page.locator(".squiggly-error, .squiggly-warning").first().waitFor();
  console.log("vscode: squiggle");

  await command("Problems: Focus on Problems View");
  await page.locator(".markers-panel").getByText("grep", { exact: false }).first().waitFor();
  console.log("vscode: problems panel");

  const grep = page.locator(".view-line").filter({ hasText: "grep -q PASS" }).first();
  await grep.getByText("grep", { exact: false }).last().hover();
  await page.locator(".monaco-hover-content").filter({ hasText: "agent text" }).filter({ visible: true }).first().waitFor();
  console.log("vscode: hover");
  await page.screenshot({ path: out });
  await page.keyboard.press("Escape");

  const line = page.locator(".view-line").filter({ hasText: "extract-json" }).first();
  await line.click();
  await page.keyboard.press("Home");
  for (let step = 0; step < 12; step += 1) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Control+.");
  await page.getByText("Add `--require-field verdict`").filter({ visible: true }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".view-line").filter({ hasText: "--require-field verdict" }).first().waitFor();
  await page.keyboard.press("Control+s");
  let saved = false;
  for (let tries = 0; tries < 100 && !saved; tries += 1) {
    saved = readFileSync(file, "utf8").includes("extract-json --require-field verdict");
    await page.waitForTimeout(100);
  }
  if (!saved) throw new Error("the quick fix was not saved");
  console.log("vscode: quick fix\nvscode: ok");
} catch (error) {
  await page.screenshot({ path: out.replace(/\.png$/, "-failed.png") });
  throw error;
} finally {
  await browser.close();
}
