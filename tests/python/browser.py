"""A headless Chromium that opens pages and says what they complain about."""

import json
import pathlib
import shutil
import time
from typing import Any

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    MISSING = "" if CHROMIUM and DRIVER else "no chromium with chromedriver"
except ImportError:
    MISSING = "no python3-selenium"


class Browser:
    """A window of some width; `with Browser(390) as browser:` closes it."""

    def __init__(self, width: int = 1440, dark: bool = False, height: int = 1000):
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--window-size={width},{height}"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        self.driver.set_script_timeout(300)
        self.resize(width, dark, height)

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.driver.quit()

    def resize(self, width: int, dark: bool = False, height: int = 1000) -> None:
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})

    def open(self, page: pathlib.Path, address: str = "") -> float:
        """Opens a page and returns the seconds until it is ready."""
        # From elsewhere, since another address of the same page loads nothing.
        self.driver.get("about:blank")
        start = time.monotonic()
        self.driver.get(f"{page.resolve().as_uri()}{'#' if address else ''}{address}")
        self.until("document.documentElement.dataset.ready")
        return time.monotonic() - start

    def follow(self, address: str) -> None:
        """Goes to another address of the open page."""
        self.run("delete document.documentElement.dataset.ready; history.replaceState(null, '', `#${arguments[0]}`);"
                 "dispatchEvent(new Event('hashchange'))", address)
        self.until("document.documentElement.dataset.ready")

    def run(self, script: str, *given: Any) -> Any:
        return self.driver.execute_script(script, *given)

    def wait_for(self, script: str) -> Any:
        """What a script hands to its last argument, a function."""
        return self.driver.execute_async_script(script)

    def until(self, condition: str, seconds: float = 30) -> Any:
        """Waits until an expression of JavaScript is true, and returns its value."""
        end = time.monotonic() + seconds
        while not (value := self.run(f"return {condition}")):
            if time.monotonic() > end:
                raise TimeoutError(f"never true: {condition}")
            time.sleep(0.02)
        return value

    def save(self, path: pathlib.Path) -> None:
        self.driver.save_screenshot(str(path))

    def complaints(self) -> list[str]:
        """Messages of the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Addresses that were asked for since the last call, other than data that pages hold themselves."""
        events = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        asked = (event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent")
        return [address for address in asked if not address.startswith(("data:", "blob:", "about:"))]
