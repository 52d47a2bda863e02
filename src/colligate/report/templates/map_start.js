const map = showMap(document, JSON.parse(document.getElementById("data").textContent));
